import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { days, standingIn, stores } from '../../../domain/fixity/views.ts'
import { count } from '../../../domain/kernel/amounts.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY } from '../../../domain/kernel/time.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { Budget, Counts } from './answers.ts'
import { BucketUse, bucketUseOn, lastDays, UseInAll, useInAll } from './bucket-use-answer.ts'
import { budgetAnswer, budgetSentence } from './budget-answer.ts'
import { noSuchStore, unknownStore } from './known.ts'
import { countsOf, daysOf, fullCycleSince } from './store-counts.ts'

const orNull = t.union([t.string, t.null])

const Store = t.type({
  store: t.string,
  kind: t.keyof({ folder: null, external: null }),
  root: orNull,
  /** `away`: nobody finds any of it, and no finding concerns its content. `gone`: its absence is a finding. */
  standing: t.keyof({ there: null, away: null, gone: null }),
  /** Since when it is `away` or `gone`, and what was found instead. */
  since: orNull,
  why: orNull,
  /** Each item is to be checked once in so many days. */
  intervalDays: t.number,
  /**
   * The day since which the check of every item has finished, those left out that are unread; null if some item's never
   * did, or is suspect or parked, or if all are unread.
   */
  fullCycleSince: orNull,
  /** Null: no limit. */
  budget: t.union([Budget, t.null]),
  /** Requests to its bucket, on each of those days of UTC that had any. */
  asked: t.readonlyArray(t.intersection([t.type({ day: t.string }), BucketUse])),
  /** The same of all those days; null: nothing was asked. */
  askedInAll: t.union([UseInAll, t.null]),
  counts: Counts,
  /**
   * Counts at the end of each day of UTC, the last one as of now; none while the views are rebuilt after an upgrade.
   */
  days: t.readonlyArray(t.intersection([t.type({ day: t.string }), Counts])),
})

const storeOf = (views: ViewStore, row: RowOf<typeof stores>, length: number, now: string) => {
  const { store, kind, root, away, intervalDays } = row
  const standing = standingIn(row, now)
  const first = addMillis(now, -(length - 1) * DAY).slice(0, '2026-01-31'.length)
  const asked = bucketUseOn(views, lastDays(now, length), store).map(({ store: _, ...use }) => use)
  return {
    store,
    kind,
    root,
    standing: standing.kind,
    since: standing.kind === 'there' ? null : standing.since,
    why: standing.kind === 'there' ? null : away,
    intervalDays: intervalDays ?? 0,
    fullCycleSince: fullCycleSince(views, store, now) ?? null,
    budget: budgetAnswer(views, store, now) ?? null,
    asked,
    askedInAll: useInAll(asked) ?? null,
    counts: countsOf(views, store, now),
    // Views that an older program folded answer until they are rebuilt: they have no days.
    days: views.shape(days.name) ? daysOf(views, store, first, now) : [],
  }
}

const noUse: BucketUse = {
  gets: 0,
  heads: 0,
  lists: 0,
  puts: 0,
  deletes: 0,
  bytesRead: 0,
  bytesWritten: 0,
}

const cycleText = (since: string | null, { expected, unread }: Counts): string => {
  if (unread > 0 && unread === expected) return 'all archived, and none of them read'
  if (since === null) return 'not all of them were ever checked to the end'
  return unread === 0
    ? `all checked since ${since}`
    : `all but ${count(unread)} that were not read checked since ${since}`
}

const askedText = (asked: UseInAll | null): readonly string[] =>
  asked ? [`Asked of its bucket on these days: ${asked.sentence}`] : []

/** The stores for a person: whether they are available, how far the cycle of checks has come, and how that changed. */
export const storesQuestion = question({
  name: 'stores',
  summary:
    'The stores: mounted or away, the last full cycle of checks, and the states of their items day by day.',
  projection: fixity,
  history: 'views',
  input: {
    store: { description: 'This store alone.', codec: Text, example: 'main', argument: 'store' },
    days: { ...whole(1, 366), description: 'So many days, today included; 30 unless said.', default: 30 },
  },
  answer: t.type({ at: t.string, stores: t.readonlyArray(Store) }),
  returns: 'The stores, by name.',
  schemaName: 'FixityStoreStates',
  rejections: noSuchStore,
  ask: (views, { store, days }, { now }) => {
    const known = rows(views, stores, {
      where: store === undefined ? [] : [is('store', store)],
      orderBy: [{ column: 'store' }],
    })
    if (store !== undefined && known.length === 0) return E.left(unknownStore(store))
    return E.right({ at: now, stores: known.map((row) => storeOf(views, row, days, now)) })
  },
  rows: {
    of: ({ stores }) =>
      stores.flatMap(({ store, days, asked }) =>
        days.map((day) => ({ store, ...day, ...(asked.find((use) => use.day === day.day) ?? noUse) })),
      ),
  },
  show: ({ stores }) =>
    stores.flatMap(({ store, standing, since, fullCycleSince, budget, askedInAll, counts, days }) => [
      `${store} is ${standing}${since === null ? '' : ` since ${since}`}; ${count(counts.expected)} items, ` +
        cycleText(fullCycleSince, counts),
      ...(budget ? [budgetSentence(budget)] : []),
      ...askedText(askedInAll),
      {
        rows: days,
        columns: columns(
          'day',
          'expected',
          'verified',
          'baselined',
          'unread',
          'failed',
          'suspect',
          'late',
          'unchecked',
          'parked',
        ),
      },
    ]),
  nothing: ({ stores }) => (stores.length === 0 ? 'no store is known' : undefined),
  examples: [
    ['stores', 'all, day by day'],
    ['stores archive --days 90 --format csv', 'a quarter, for a spreadsheet'],
  ],
})
