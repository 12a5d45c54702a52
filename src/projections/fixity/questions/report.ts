import { dated, expectedStates, type Part } from '../../../domain/fixity/item-states.ts'
import { items, resolutions, standingIn, stores } from '../../../domain/fixity/views.ts'
import { type ConditionOn, is, rows, tally } from '../../../domain/kernel/read-views.ts'
import type { Condition, RowOf, Views } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { FixityReport, Section } from './answers.ts'
import { countBags } from './bag-counts.ts'
import { type BucketUse, bucketUseOn, lastDays, totalUse, useSentence } from './bucket-use-answer.ts'
import { budgetAnswer } from './budget-answer.ts'
import { liveBags } from './live-bags.ts'
import { below, emptySection, type MutableSection, total } from './sections.ts'

interface ReportScope {
  readonly store?: string
  readonly prefix?: string
}

/** Most resolutions, and most failures of a kind, that a report lists; the counts include all. */
export const maxListed = 1000

/** The view store counts items; here only folders are added up. */
export const fixityReport = (views: ViewStore, at: string, scope: ReportScope = {}): FixityReport => {
  const within: readonly Condition<'store' | 'path'>[] = [
    ...(scope.store ? [is('store', scope.store)] : []),
    ...(scope.prefix ? [{ column: 'path', is: 'prefix', value: scope.prefix } as const] : []),
  ]
  const expected: readonly ConditionOn<typeof items>[] = [
    ...within,
    is('removed', 0),
    { column: 'state', is: 'in', value: expectedStates },
  ]
  const sections = countSections(views, at, expected, folderOf(scope.prefix ?? ''))
  const known = rows(views, stores, { where: scope.store ? [is('store', scope.store)] : [] })
  const rowsOf = new Map(known.map((row) => [row.store, row]))
  const names = [...new Set([...rowsOf.keys(), ...sections.keys()])].sort()
  return {
    at,
    stores: names.map((store) => {
      const prefixes = [...(sections.get(store) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
      const row = rowsOf.get(store)
      return {
        store,
        ...(row?.root && { root: row.root }),
        ...(row && whereabouts(row, at)),
        ...budgetOf(views, store, at),
        ...(scope.prefix ? {} : { ...bagsOf(views, store, at), ...askedOf(views, store, at) }),
        ...total(prefixes.map(([, section]) => section)),
        prefixes: prefixes.map(([prefix, section]) => ({ prefix, ...section })),
      }
    }),
    resolutions: openResolutions(views, within),
    failures: [
      ...failing(views, [...expected, is('state', 'failed')]),
      ...failing(views, [...expected, is('state', 'parked')]),
    ],
  }
}

const budgetOf = (
  views: Views,
  store: string,
  at: string,
): Pick<FixityReport['stores'][number], 'budget'> => {
  const budget = budgetAnswer(views, store, at)
  return budget ? { budget } : {}
}

const bagsOf = (
  views: ViewStore,
  store: string,
  at: string,
): Pick<FixityReport['stores'][number], 'bags'> => {
  const all = liveBags(views, { store }, at)
  return all.length > 0 ? { bags: countBags(all) } : {}
}

/** Days of UTC whose requests the report counts. */
const daysAsked = 30

const askedOf = (views: Views, store: string, at: string): Pick<FixityReport['stores'][number], 'asked'> => {
  const asked = totalUse(bucketUseOn(views, lastDays(at, daysAsked), store))
  return asked ? { asked } : {}
}

/** For people. */
export const askedSentence = (asked: BucketUse): string =>
  `Asked of its bucket in the last ${daysAsked} days (UTC): ${useSentence(asked)}.`

const whereabouts = (
  row: RowOf<typeof stores>,
  at: string,
): Pick<FixityReport['stores'][number], 'awaySince' | 'away' | 'goneSince'> => {
  const standing = standingIn(row, at)
  if (standing.kind === 'there') return {}
  return standing.kind === 'gone'
    ? { goneSince: standing.since }
    : { awaySince: standing.since, ...(row.away !== null && { away: row.away }) }
}

/** Counts by store, and by direct entry of the folder `base`. */
const countSections = (
  views: Views,
  at: string,
  expected: readonly ConditionOn<typeof items>[],
  base: string,
): ReadonlyMap<string, ReadonlyMap<string, Section>> => {
  const sections = new Map<string, Map<string, MutableSection>>()
  const sectionOf = ({ store, folder }: Pick<RowOf<typeof items>, 'store' | 'folder'>): MutableSection => {
    const prefixes = sections.get(store) ?? new Map<string, MutableSection>()
    sections.set(store, prefixes)
    const prefix = below(base, folder)
    const section = prefixes.get(prefix) ?? emptySection()
    prefixes.set(prefix, section)
    return section
  }

  const by = ['store', 'folder'] as const
  for (const row of tally(views, items, { by: [...by, 'state'], sum: ['size'], where: expected })) {
    const section = sectionOf(row)
    section.counts.expected += row.count
    section.counts[row.state as Part] += row.count
    section.bytes += row.size
  }
  for (const state of dated) {
    const overdue = [...expected, is('state', state), { column: 'lateAfter', is: '<', value: at } as const]
    for (const row of tally(views, items, { by, where: overdue })) {
      const { counts } = sectionOf(row)
      // Another process may have folded between the two queries: the sum holds all the same.
      const late = Math.min(row.count, counts[state])
      counts.late += late
      counts[state] -= late
    }
  }
  return sections
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const openResolutions = (
  views: Views,
  within: readonly Condition<'store' | 'path'>[],
): FixityReport['resolutions'] =>
  rows(views, resolutions, {
    where: [...within, is('status', 'open')],
    orderBy: [{ column: 'openedAt' }],
    limit: maxListed,
  }).map(({ store, path, resolution, class: kind, row, summary, openedAt }) => ({
    store,
    path,
    resolution,
    class: kind,
    row,
    summary,
    openedAt,
  }))

const failing = (views: Views, where: readonly ConditionOn<typeof items>[]): FixityReport['failures'] =>
  rows(views, items, {
    where,
    orderBy: [{ column: 'store' }, { column: 'path' }],
    limit: maxListed,
  }).map(({ store, path, state, row, because, lastChecked, lastVerified }) => ({
    store,
    path,
    state,
    row,
    because,
    lastChecked,
    lastVerified,
  }))
