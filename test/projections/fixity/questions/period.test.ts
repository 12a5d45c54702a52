import { describe, expect, it, onTestFinished } from 'vitest'
import { views } from '#src/domain/fixity/views.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import { periodReport, stepsOf } from '#src/projections/fixity/questions/period.ts'
import { period } from '#src/projections/fixity/questions/period-question.ts'
import { openTestViews } from '../../../fakes/views.ts'

const since = '2026-01-01T00:00:00.000Z'
const until = '2026-01-04T00:00:00.000Z'

interface Given {
  readonly checks?: readonly (readonly [at: string, result: string, unread?: number])[]
  readonly findings?: readonly Partial<Row>[]
  readonly items?: readonly Partial<Row>[]
}

const periodOf = (given: Given, scope: Parameters<typeof periodReport>[3] = {}) => {
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('fixity', 1, views)
  viewStore.promote(generation)
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    for (const [i, [at, result, unread = 0]] of (given.checks ?? []).entries())
      tables['fixity-bit-log']?.put({ store: 'main', path: `p${i}`, position: i, at, result, unread })
    for (const [i, one] of (given.findings ?? []).entries()) {
      const status = one.closedAt ? 'closed' : 'open'
      const said = { class: 'internal', summary: 'gone', row: 'F8', status }
      tables['fixity-resolutions']?.put({
        store: 'main',
        path: `f${i}`,
        resolution: `r${i}`,
        ...said,
        ...one,
      })
    }
    for (const [i, one] of (given.items ?? []).entries())
      tables['fixity-items']?.put({ store: 'main', path: `i${i}`, folder: '', removed: 0, ...one })
  })
  return periodReport(viewStore, since, until, scope)
}

describe('a period', () => {
  it('counts the checks of each step, from its beginning on and before its end', () => {
    const report = periodOf({
      checks: [
        ['2025-12-31T23:59:59.999Z', 'SUCCESS'],
        [since, 'SUCCESS'],
        ['2026-01-01T23:59:59.999Z', 'FAILURE'],
        ['2026-01-03T12:00:00.000Z', 'UNVERIFIED'],
        [until, 'SUCCESS'],
      ],
    })
    expect(report).toMatchObject({ successes: 1, failures: 1, unverified: 1 })
    expect(report.steps).toMatchObject([
      { step: '2026-01-01', successes: 1, failures: 1, unverified: 0 },
      { step: '2026-01-02', successes: 0, failures: 0, unverified: 0 },
      { step: '2026-01-03', successes: 0, failures: 0, unverified: 1 },
    ])
  })

  it('counts no check as a success that did not read the bytes, and each check once', () => {
    const report = periodOf({
      checks: [
        [since, 'SUCCESS'],
        [since, 'SUCCESS', 1],
        [since, 'SUCCESS', 1],
        [since, 'FAILURE'],
      ],
    })
    expect(report).toMatchObject({ successes: 1, unread: 2, failures: 1, unverified: 0 })
    expect(report.steps[0]).toMatchObject({ successes: 1, unread: 2 })
  })

  it('tells what was opened and settled, how, and what was open before and after', () => {
    const report = periodOf({
      findings: [
        { openedAt: '2025-12-01T00:00:00.000Z' },
        { openedAt: '2025-12-02T00:00:00.000Z', closedAt: '2026-01-02T10:00:00.000Z', how: 'repaired' },
        { openedAt: '2025-12-03T00:00:00.000Z', closedAt: '2025-12-04T00:00:00.000Z', how: 'lost' },
        { openedAt: '2026-01-01T05:00:00.000Z', closedAt: '2026-01-02T06:00:00.000Z', how: 'repaired' },
        { openedAt: '2026-01-03T05:00:00.000Z', closedAt: '2026-02-01T00:00:00.000Z', how: 'accepted' },
        { openedAt: '2026-02-01T00:00:00.000Z' },
      ],
    })
    expect(report).toMatchObject({
      opened: 2,
      settled: 2,
      openBefore: 2,
      openAfter: 2,
      settlements: [{ how: 'repaired', count: 2 }],
    })
    expect(report.openBefore + report.opened - report.settled).toBe(report.openAfter)
    expect(report.steps.map(({ opened, settled }) => [opened, settled])).toEqual([
      [1, 0],
      [0, 2],
      [1, 0],
    ])
    expect(report.findings.map(({ path }) => path)).toEqual(['f1', 'f3', 'f4'])
  })

  it('says why items are unverified, the most frequent reason first', () => {
    const unverified = (because: string) => ({ state: 'unverified', because })
    const items = [
      unverified('no checksum'),
      unverified('two values'),
      unverified('two values'),
      { state: 'verified', because: 'all agree' },
      { ...unverified('deleted'), removed: 1 },
    ]
    expect(periodOf({ items }).whyUnverified).toEqual([
      { because: 'two values', count: 2 },
      { because: 'no checksum', count: 1 },
    ])
    expect(periodOf({ items }, { counts: true }).whyUnverified).toEqual([])
  })

  it('is of one store and of a prefix', () => {
    const given: Given = {
      checks: [
        [since, 'SUCCESS'],
        [since, 'FAILURE'],
      ],
    }
    expect(periodOf(given, { prefix: 'p1' })).toMatchObject({ successes: 0, failures: 1 })
    expect(periodOf(given, { store: 'other' })).toMatchObject({ successes: 0, failures: 0 })
  })
})

describe('for people', () => {
  const said = (given: Given) => {
    const empty = openTestViews()
    onTestFinished(() => empty.close())
    return period.show(periodOf(given), { input: {}, views: empty })
  }

  it('leaves out the steps in which nothing was, and says how many', () => {
    const blocks = said({ checks: [[since, 'SUCCESS']] })
    const [table] = blocks.filter((block) => typeof block !== 'string')
    expect(table?.rows).toMatchObject([{ successes: 1 }])
    expect(blocks.at(-1)).toMatch(/^nothing in \d+ others$/)
    expect(said({}).at(-1)).toBe('nothing in all of it')
  })
})

describe('steps', () => {
  const named = (from: string, to: string) => stepsOf(from, to).map(({ step }) => step)

  it('are days up to a quarter, then months, then years; each begins where the last one ends', () => {
    expect(named('2026-01-30T12:00:00.000Z', '2026-02-01T12:00:00.000Z')).toEqual([
      '2026-01-30',
      '2026-01-31',
      '2026-02-01',
    ])
    expect(named('2025-11-15T00:00:00.000Z', '2026-03-01T00:00:00.000Z')).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ])
    expect(named('2000-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')).toHaveLength(26)
    const steps = stepsOf('2025-11-15T07:00:00.000Z', '2026-03-01T09:00:00.000Z')
    expect(steps[0]!.from).toBe('2025-11-15T07:00:00.000Z')
    expect(steps.at(-1)!.to).toBe('2026-03-01T09:00:00.000Z')
    for (const [i, { from }] of steps.entries()) if (i > 0) expect(from).toBe(steps[i - 1]!.to)
  })
})
