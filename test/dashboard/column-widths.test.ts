import { expect, it } from 'vitest'
import { shareRoom } from '../../dashboard/src/parts/column-widths.ts'

const columns = (...wanted: number[]) => wanted.map((one) => ({ wanted: one, least: 40 }))

it('gives each column what it wants where all fit, and the rest to the widest', () => {
  expect(shareRoom(columns(100, 300, 200), 1000)).toEqual([100, 700, 200])
})

it('cuts the wide ones alone where not all fit, and uses all of the room', () => {
  expect(shareRoom(columns(100, 900, 700), 900)).toEqual([100, 400, 400])
  expect(shareRoom(columns(100, 150, 700, 900), 900)).toEqual([100, 150, 325, 325])
})

it('leaves each column its least width where there is no room at all', () => {
  expect(shareRoom(columns(100, 20, 300), 60)).toEqual([40, 20, 40])
})
