import { describe, expect, it } from 'vitest'
import { barsOf, beginOf, scaleOf } from '../../dashboard/src/pages/home/night-scale.ts'
import { amountWords, eveningBefore, hoursSince, inOrder } from '../../dashboard/src/pages/home/overview.ts'

const at = (day: number, hour: number, minute = 0): Date => new Date(2026, 0, day, hour, minute)
const iso = (...when: Parameters<typeof at>): string => at(...when).toISOString()
const counts: [string, string] = ['check', 'checks']
const run = (from: Date, until: Date, done = 1) => ({
  ...{ from: from.toISOString(), until: until.toISOString() },
  ...{ done, wrong: 0, odd: 0 },
})
const lane = (given: object = {}) => ({
  ...{ workflow: 'fixity', counts, isCounted: true, runs: [], marks: [], days: [], underWay: [] },
  ...given,
})

describe('the evening before', () => {
  it.each([
    [at(31, 9, 41), at(30, 18)],
    [at(31, 0), at(30, 18)],
    [at(31, 23, 59), at(30, 18)],
    [at(31, 19), at(30, 18)],
  ])('of %s it is %s: at least six hours ago', (now, evening) => {
    expect(eveningBefore(now)).toEqual(evening)
    expect(hoursSince(evening, now) * 3_600_000).toBeGreaterThanOrEqual(now.getTime() - evening.getTime())
  })

  it('begins later where all began later', () => {
    const runs = [run(at(31, 9, 20), at(31, 9, 30))]
    expect(beginOf([lane({ runs })], at(31, 9, 41))).toEqual(at(31, 9))
    const days = [{ day: '2026-01-02', done: 1, wrong: 0, odd: 0 }]
    expect(beginOf([lane({ runs, days })], at(31, 9, 41))).toEqual(at(30, 18))
    expect(beginOf([lane()], at(31, 9, 41))).toEqual(at(30, 18))
  })
})

describe('a bar', () => {
  const runs = [run(at(31, 2), at(31, 3)), run(at(31, 9), at(31, 9, 35))]
  const now = at(31, 9, 41)

  it('of the last minutes goes on while its workflow has something under way', () => {
    const works = [{ title: 'a', page: '/', done: 1, total: 2, until: iso(31, 11) }]
    expect(barsOf(lane({ runs, underWay: works }), now)).toMatchObject([
      { isUnderWay: false, expected: undefined, until: iso(31, 3) },
      { isUnderWay: true, expected: iso(31, 11), until: now.toISOString() },
    ])
  })

  it('is done where nothing is under way, and where that is not known', () => {
    for (const underWay of [[], null])
      expect(barsOf(lane({ runs, underWay }), now).some(({ isUnderWay }) => isUnderWay)).toBe(false)
  })

  it('is done where its workflow paused for long', () => {
    const works = [{ title: 'a', page: '/', done: 1, total: 2 }]
    expect(barsOf(lane({ runs: [runs[0]], underWay: works }), now)).toMatchObject([{ isUnderWay: false }])
  })
})

it('the scale ends where what is under way is expected to end, but not beyond six hours', () => {
  const works = (until: string) => [lane({ underWay: [{ title: 'a', page: '/', done: 1, total: 2, until }] })]
  const now = at(31, 9, 41)
  const ends = (until: string) => scaleOf(works(until), at(30, 18), now).end
  expect(ends(iso(31, 14))).toEqual(at(31, 14))
  expect(ends(new Date(2030, 1).toISOString())).toEqual(at(31, 15, 41))
  const { x, ticks } = scaleOf([], at(30, 18), now)
  expect([x(at(30, 12)), x(at(30, 18))]).toEqual([0, 0])
  expect(x(now)).toBeLessThan(100)
  expect(ticks[1]).toEqual(at(30, 21))
})

it('amounts are told with what went wrong', () => {
  expect(amountWords({ counts }, { done: 1, wrong: 0, odd: 0 })).toBe('1 check')
  expect(amountWords({ counts }, { done: 1200, wrong: 2, odd: 1 })).toBe(
    '1,200 checks, 2 went wrong, 1 to look at',
  )
})

it('lanes are in the order of the rail, others behind them', () => {
  const lanes = ['new', 'ingest', 'fixity'].map((workflow) => lane({ workflow }))
  const ordered = inOrder({ at: '', since: '', lanes } as never, ['fixity', 'ingest'])
  expect(ordered.lanes.map(({ workflow }) => workflow)).toEqual(['fixity', 'ingest', 'new'])
})
