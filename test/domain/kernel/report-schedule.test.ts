import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginningOf, endOf, parseReports } from '#src/domain/kernel/report-schedule.ts'
import { runs } from '../../runs.ts'

describe('the setting reports', () => {
  it('has a period, recipients, a store, and whether all is well is told', () => {
    expect(
      parseReports('monthly to=ada@a.example,bob@a.example store=main; weekly when=wrong to=ada@a.example'),
    ).toEqual([
      {
        period: 'monthly',
        to: ['ada@a.example', 'bob@a.example'],
        store: 'main',
        workflow: 'fixity',
        isAlways: true,
        text: 'monthly to=ada@a.example,bob@a.example store=main workflow=fixity when=always',
      },
      {
        period: 'weekly',
        to: ['ada@a.example'],
        workflow: 'fixity',
        isAlways: false,
        text: 'weekly to=ada@a.example workflow=fixity when=wrong',
      },
    ])
  })

  it.each([
    '',
    'monthly',
    'monthly to=',
    'monthly to=ada',
    'hourly to=ada@a.example',
    'monthly to=ada@a.example to=bob@a.example',
    'monthly to=ada@a.example workflow=ingest',
    'monthly to=ada@a.example when=never',
    'monthly to=ada@a.example colour=red',
  ])('is refused: %s', (text) => {
    expect(parseReports(text)).toBeUndefined()
  })
})

describe('a period', () => {
  it.each([
    ['daily', '2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-01'],
    ['weekly', '2026-03-01T12:00:00.000Z', '2026-02-23', '2026-03-02'],
    ['weekly', '2026-03-02T00:00:00.000Z', '2026-03-02', '2026-03-09'],
    ['monthly', '2026-12-31T12:00:00.000Z', '2026-12-01', '2027-01-01'],
    ['quarterly', '2026-05-31T12:00:00.000Z', '2026-04-01', '2026-07-01'],
    ['yearly', '2028-02-29T12:00:00.000Z', '2028-01-01', '2029-01-01'],
  ] as const)('%s with %s goes from %s to %s', (period, instant, since, until) => {
    const beginning = beginningOf(period, instant)
    expect([beginning.slice(0, 10), endOf(period, beginning).slice(0, 10)]).toEqual([since, until])
  })

  it('encloses its instants, and ends where the next begins', () => {
    const period = fc.constantFrom('daily', 'weekly', 'monthly', 'quarterly', 'yearly')
    const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(period, instant, (one, at) => {
        const since = beginningOf(one, at.toISOString())
        const until = endOf(one, since)
        expect(since <= at.toISOString() && at.toISOString() < until).toBe(true)
        expect(beginningOf(one, until)).toBe(until)
      }),
      { numRuns: runs(200) },
    )
  })
})
