import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { table } from '#src/cli/output/table.ts'
import { parts } from '#src/domain/fixity/item-states.ts'
import type { Counts, FixityReport } from '#src/projections/fixity/questions/answers.ts'
import { reportText } from '#src/projections/fixity/questions/report-text.ts'
import { none } from './counts.ts'

const at = '2026-01-31T12:00:00.000Z'
const reportOf = (counts: Counts, more: Partial<FixityReport['stores'][number]> = {}): FixityReport => ({
  at,
  stores: [
    {
      store: 'archive',
      root: '/srv/archive',
      counts,
      bytes: 2048,
      prefixes: [{ prefix: 'letters-of-1912/', counts, bytes: 2048 }],
      ...more,
    },
  ],
  resolutions: [],
  failures: [],
})
const linesOf = (report: FixityReport): readonly string[] =>
  reportText(report).flatMap((block) =>
    typeof block === 'string'
      ? [block]
      : table(
          block.rows.map((row) => ({ ...row })),
          block.columns,
          { colour: false, width: 80 },
        )
          .trimEnd()
          .split('\n'),
  )

describe('the report on a terminal of 80 columns', () => {
  it('leaves out what is 0 in all of a store', () => {
    expect(linesOf(reportOf({ ...none, expected: 12, verified: 10, failed: 2 }))).toEqual([
      'Store archive (/srv/archive): 12 items expected',
      'folder            expected  verified  failed  size',
      'letters-of-1912/        12        10       2  2 KiB',
      '(all)                   12        10       2  2 KiB',
    ])
  })

  it('has every number, whole, however many there are', () => {
    const anyCounts = fc.record(
      Object.fromEntries(parts.map((part) => [part, fc.nat({ max: 9_999_999 })])),
    ) as fc.Arbitrary<Record<string, number>>
    fc.assert(
      fc.property(anyCounts, (some) => {
        const expected = Object.values(some).reduce((sum, n) => sum + n, 0)
        const lines = linesOf(reportOf({ ...none, ...some, expected }))
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
        const text = lines.join('\n')
        for (const n of [expected, ...Object.values(some)].filter((n) => n > 0))
          expect(text).toMatch(new RegExp(`\\b${n}\\b`))
      }),
    )
  })

  it('says since when a store is away, or its absence is a finding', () => {
    const counts = { ...none, expected: 1, verified: 1 }
    expect(linesOf(reportOf(counts, { awaySince: at, away: 'its folder is empty' }))[1]).toBe(
      'Away since 2026-01-31T12:00:00Z: its folder is empty. Nothing of it is checked.',
    )
    expect(linesOf(reportOf(counts, { goneSince: at }))[1]).toBe(
      'Nothing of it is found since 2026-01-31T12:00:00Z: its absence is a finding.',
    )
  })

  it('of nothing says so', () => {
    expect(reportText({ at, stores: [], resolutions: [], failures: [] })).toEqual([
      'No store is known: nothing is expected.',
    ])
  })
})
