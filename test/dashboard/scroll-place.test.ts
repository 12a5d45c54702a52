import { describe, expect, it } from 'vitest'
import {
  type Frame,
  heightOf,
  type Place,
  rowHeight,
  scrolled,
  settled,
} from '../../dashboard/src/parts/scroll-place.ts'

/** A list in a frame of 20 rows; its head is as high as a row. */
const frame = (total: number): Frame => ({
  total,
  range: heightOf(total) + rowHeight - 20 * rowHeight,
  height: 20 * rowHeight,
})
const start: Place = { scrollTop: 0, top: 0 }
const lastTop = (total: number) => (total + 1 - 20) * rowHeight

describe('the place in a list', () => {
  it.each([100, 100_000])('of %d rows is where it is scrolled to', (total) => {
    expect(heightOf(total)).toBe(total * rowHeight)
    for (const scrollTop of [0, 1, 36 * 50, lastTop(total)])
      expect(scrolled(frame(total), start, scrollTop)).toEqual({ scrollTop, top: scrollTop })
  })

  it.each([1_000_000, 100_000_000])(
    'of %d rows: both ends can be reached, and the middle is in the middle',
    (total) => {
      const list = frame(total)
      expect(heightOf(total)).toBeLessThan(17_000_000)
      expect(scrolled(list, start, list.range).top).toBe(lastTop(total))
      expect(scrolled({ ...list }, start, list.range / 2).top).toBeCloseTo(lastTop(total) / 2)
      expect(scrolled(list, scrolled(list, start, list.range), 0).top).toBe(0)
    },
  )

  it.each([0, 1, 99, 101, 500_000, 999_900, 999_980])(
    'of row %d of a million is found again in the scroll bar',
    (row) => {
      const list = frame(1_000_000)
      const place = settled(list, row * rowHeight)
      expect(place.top).toBe(row * rowHeight)
      expect(place.scrollTop).toBeLessThanOrEqual(list.range)
      expect(scrolled(list, start, place.scrollTop).top).toBeCloseTo(row * rowHeight, 3)
    },
  )

  it('behind the last row is the last', () => {
    expect(settled(frame(1_000_000), 1e12).top).toBe(lastTop(1_000_000))
    expect(settled(frame(100), 1e12).top).toBe(lastTop(100))
  })

  it('moves by single rows in a list of any length, so that none is passed over', () => {
    const list = frame(1_000_000)
    let place = settled(list, 500_000 * rowHeight)
    for (let row = 500_001; row <= 500_100; row++) {
      place = scrolled(list, place, place.scrollTop + rowHeight)
      expect(place.top).toBeCloseTo(row * rowHeight, 3)
      place = settled(list, place.top)
    }
  })

  it('never leaves less room above than its rows need', () => {
    const list = frame(1_000_000)
    for (let scrollTop = 0; scrollTop <= list.range; scrollTop += 997) {
      const { top } = scrolled(list, start, scrollTop)
      const first = Math.max(0, Math.floor(top / rowHeight) - 10)
      expect(scrollTop - top + first * rowHeight).toBeGreaterThanOrEqual(0)
    }
  })
})
