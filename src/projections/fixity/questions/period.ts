import * as t from 'io-ts'
import { dayOf } from '../../../domain/fixity/store/budget.ts'
import { bitLog, hasUnread, items, reads, resolutions } from '../../../domain/fixity/views.ts'
import { type ConditionOn, is, rows, tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY, millisBetween } from '../../../domain/kernel/time.ts'
import type { Condition, Views } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { bucketUseOn, UseInAll, useInAll } from './bucket-use-answer.ts'
import { maxListed } from './report.ts'

const amounts = {
  /** Finished checks, by outcome: each is in one of these. */
  successes: t.number,
  /** Checks that did not read the content, and found the records to agree with what the storage reports. */
  unread: t.number,
  failures: t.number,
  unverified: t.number,
  /** Findings. */
  opened: t.number,
  settled: t.number,
}

export const PeriodStep = t.type({ step: t.string, ...amounts })

const orNull = t.union([t.string, t.null])

/** Checks and findings in a period: from `since` on, and before `until`. */
export const PeriodReport = t.readonly(
  t.type({
    since: t.string,
    until: t.string,
    ...amounts,
    /** Findings that were open when it began, and when it ended. */
    openBefore: t.number,
    openAfter: t.number,
    /** How findings were resolved in it. */
    settlements: t.readonlyArray(t.type({ how: t.string, count: t.number })),
    /** Readings by checks of each store on the days of UTC that the period touches; none of a prefix. */
    reads: t.readonlyArray(t.type({ store: t.string, checks: t.number, bytes: t.number })),
    /** Requests to the bucket of each store on those days, whatever part of fixity made them; none of a prefix. */
    requests: t.readonlyArray(t.intersection([t.type({ store: t.string }), UseInAll])),
    /** Day by day up to a quarter, month by month up to 20 years, else year by year: also those without a check. */
    steps: t.readonlyArray(PeriodStep),
    /** Why items are unverified now, the most frequent reasons first. */
    whyUnverified: t.readonlyArray(t.type({ because: t.string, count: t.number })),
    /** Findings opened or resolved in it, oldest first; at most 1,000. */
    findings: t.readonlyArray(
      t.type({
        store: t.string,
        path: t.string,
        class: t.string,
        summary: t.string,
        openedAt: t.string,
        closedAt: orNull,
        how: orNull,
        reason: orNull,
      }),
    ),
  }),
)
export type PeriodReport = t.TypeOf<typeof PeriodReport>

interface PeriodScope {
  readonly store?: string
  readonly prefix?: string
  /** Counts alone: no reasons, for which all items are read, and no findings. */
  readonly counts?: boolean
}

/** A view that an older program folded has none until it is rebuilt. */
const readsIn = (
  views: ShapedViews,
  since: string,
  until: string,
  store: string | undefined,
): PeriodReport['reads'] => {
  if (!views.shape(reads.name)) return []
  return tally(views, reads, {
    by: ['store'],
    sum: ['checks', 'bytes'],
    where: [
      ...(store ? [is('store', store)] : []),
      { column: 'day', is: '>=', value: dayOf(since) },
      { column: 'day', is: '<=', value: dayOf(addMillis(until, -1)) },
    ],
  }).map(({ store, checks, bytes }) => ({ store, checks, bytes }))
}

const requestsIn = (
  views: Views,
  since: string,
  until: string,
  store: string | undefined,
): PeriodReport['requests'] => {
  const days = { first: dayOf(since), last: dayOf(addMillis(until, -1)) }
  const byStore = Map.groupBy(bucketUseOn(views, days, store), (use) => use.store)
  return [...byStore].flatMap(([name, uses]) => {
    const total = useInAll(uses)
    return total ? [{ store: name, ...total }] : []
  })
}

/** `since` and `until` are ISO 8601 UTC. */
export const periodReport = (
  views: ShapedViews,
  since: string,
  until: string,
  { store, prefix, counts = false }: PeriodScope = {},
): PeriodReport => {
  const within: readonly Condition<'store' | 'path'>[] = [
    ...(store ? [is('store', store)] : []),
    ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
  ]
  const inPeriod = <const Column extends string>(column: Column) => [
    { column, is: '>=', value: since } as const,
    { column, is: '<', value: until } as const,
  ]
  const opened = tally(views, resolutions, { by: ['openedAt'], where: [...within, ...inPeriod('openedAt')] })
  const settled = tally(views, resolutions, {
    by: ['closedAt', 'how'],
    where: [...within, ...inPeriod('closedAt')],
  })
  const steps = stepsOf(since, until).map(({ step, from, to }) => ({
    step,
    ...checksIn(views, within, from, to),
    opened: sumOf(opened.filter(({ openedAt }) => isIn(openedAt, from, to))),
    settled: sumOf(settled.filter(({ closedAt }) => isIn(closedAt, from, to))),
  }))
  const total = (name: keyof typeof amounts) => steps.reduce((sum, step) => sum + step[name], 0)
  return {
    since,
    until,
    successes: total('successes'),
    unread: total('unread'),
    failures: total('failures'),
    unverified: total('unverified'),
    opened: total('opened'),
    settled: total('settled'),
    openBefore: openAt(views, within, since),
    openAfter: openAt(views, within, until),
    settlements: byCount(Map.groupBy(settled, ({ how }) => how ?? '')).map(([how, count]) => ({
      how,
      count,
    })),
    steps,
    reads: prefix ? [] : readsIn(views, since, until, store),
    requests: prefix ? [] : requestsIn(views, since, until, store),
    whyUnverified: counts ? [] : whyUnverified(views, within),
    findings: counts
      ? []
      : findingsOf(views, [
          [...within, ...inPeriod('openedAt')],
          [...within, ...inPeriod('closedAt'), { column: 'openedAt', is: '<', value: since }],
        ]),
  }
}

type ShapedViews = Pick<ViewStore, 'query' | 'tally' | 'shape'>
type Within = readonly Condition<'store' | 'path'>[]

const checksIn = (views: ShapedViews, within: Within, from: string, to: string) => {
  const found = tally(views, bitLog, {
    by: hasUnread(views.shape(bitLog.name)) ? ['result', 'unread'] : ['result'],
    where: [...within, { column: 'at', is: '>=', value: from }, { column: 'at', is: '<', value: to }],
  })
  const of = (result: string) => sumOf(found.filter((row) => row.result === result))
  const unread = sumOf(found.filter((row) => row.unread === 1))
  return { successes: of('SUCCESS') - unread, unread, failures: of('FAILURE'), unverified: of('UNVERIFIED') }
}

const openAt = (views: Views, within: Within, at: string): number => {
  const before = { column: 'openedAt', is: '<', value: at } as const
  const of = (...where: readonly ConditionOn<typeof resolutions>[]) =>
    sumOf(tally(views, resolutions, { by: [], where: [...within, before, ...where] }))
  return of(is('status', 'open')) + of({ column: 'closedAt', is: '>=', value: at })
}

const whyUnverified = (views: Views, within: Within): PeriodReport['whyUnverified'] => {
  const where = [...within, is('removed', 0), is('state', 'unverified')]
  const found = tally(views, items, { by: ['because'], where })
  return byCount(Map.groupBy(found, ({ because }) => because ?? '')).map(([because, count]) => ({
    because,
    count,
  }))
}

const findingsOf = (
  views: Views,
  scopes: readonly (readonly ConditionOn<typeof resolutions>[])[],
): PeriodReport['findings'] =>
  scopes
    .flatMap((where) =>
      rows(views, resolutions, { where, orderBy: [{ column: 'openedAt' }], limit: maxListed }),
    )
    .sort((a, b) => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0))
    .slice(0, maxListed)
    .map(({ store, path, class: kind, summary, openedAt, closedAt, how, reason }) => ({
      store,
      path,
      class: kind,
      summary,
      openedAt,
      closedAt,
      how,
      reason,
    }))

const sumOf = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0)

const byCount = (groups: Map<string, readonly { readonly count: number }[]>): [string, number][] =>
  [...groups]
    .map(([name, counted]): [string, number] => [name, sumOf(counted)])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))

const isIn = (time: string | null, from: string, to: string): boolean =>
  time !== null && time >= from && time < to

interface Step {
  /** `2026-01-31`, `2026-01` or `2026`. */
  readonly step: string
  readonly from: string
  readonly to: string
}

/** Days of UTC up to a quarter, months up to 20 years, then years; the first and the last are cut by the period. */
export const stepsOf = (since: string, until: string): readonly Step[] => {
  const length = millisBetween(since, until)
  const unit = length <= 92 * DAY ? 'day' : length <= 20 * 366 * DAY ? 'month' : 'year'
  const steps: Step[] = []
  for (let from = since; from < until; from = steps.at(-1)!.to) {
    const end = nextOf[unit](new Date(from)).toISOString()
    steps.push({
      step: from.slice(0, { day: 10, month: 7, year: 4 }[unit]),
      from,
      to: end < until ? end : until,
    })
  }
  return steps
}

const nextOf = {
  day: (date: Date) => new Date(date.setUTCHours(24, 0, 0, 0)),
  month: (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)),
  year: (date: Date) => new Date(Date.UTC(date.getUTCFullYear() + 1, 0)),
} as const
