import { expect, it } from 'vitest'
import { filledIn, isLeftOut, rowsTold } from '../../dashboard/src/pages/log/live-rows.ts'

const event = (position: string) => ({ position })

it('what was left out has a row for each event, and is filled in at its place', () => {
  const leftOut = { after: '0', upTo: '3', events: 3 }
  const told = [{ data: leftOut, type: 'left-out' }, { data: event('4') }, {}, { data: event('5') }]
  const rows = rowsTold<ReturnType<typeof event>>(told).toReversed()
  expect(rows.map(isLeftOut)).toEqual([false, false, true, true, true])
  const whole = filledIn(rows, leftOut, ['1', '2', '3'].map(event))
  expect(whole).toEqual(['5', '4', '3', '2', '1'].map(event))
  expect(filledIn(whole, leftOut, [])).toBe(whole)
})
