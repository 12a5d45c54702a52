import { expect, it } from 'vitest'
import { lastPeriods, periodNamed } from '../../dashboard/src/pages/fixity/periods.ts'

it('months and quarters begin and end with days of UTC, over the turn of the year', () => {
  const { months, quarters } = lastPeriods(new Date('2026-02-14T12:00:00Z'))
  expect(months.slice(0, 3).map(({ name }) => name)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(quarters.slice(0, 2)).toEqual([
    { name: '2026-Q1', since: '2026-01-01T00:00:00.000Z', until: '2026-04-01T00:00:00.000Z' },
    { name: '2025-Q4', since: '2025-10-01T00:00:00.000Z', until: '2026-01-01T00:00:00.000Z' },
  ])
})

it('each is found by its name, and nothing else has one', () => {
  const { months, quarters } = lastPeriods(new Date('2026-11-30T23:59:59Z'))
  for (const period of [...months, ...quarters]) expect(periodNamed(period.name)).toEqual(period)
  for (const name of ['2026', '2026-Q5', '2026-13', '2026-00', 'now'])
    expect(periodNamed(name)).toBeUndefined()
})
