import { dated, type State } from '../../../domain/fixity/item-states.ts'
import { asRecordedColumns, comparisons, items, resolutions, stores } from '../../../domain/fixity/views.ts'
import { countRows, is, narrowRows, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { type NamedDifference, namedIn } from './named-differences.ts'

type Known = Pick<ViewStore, 'query' | 'tally' | 'shape'>
type Comparison = RowOf<typeof comparisons>
type Kind = Exclude<NamedDifference['difference'], 'new'>
type Amounts = Readonly<Record<Kind, number>>

/**
 * A difference that needs nobody by itself. `finding`: one is open about it. `revival`: its check is parked. `check`: its
 * check found witnesses that differ and looks again, or somebody settled its finding since.
 */
export type Waits = 'finding' | 'revival' | 'check'

export type StandingDifference = NamedDifference & { readonly waitsFor: Waits | null }

/** The last comparison of a store, without what checks, records and people have settled since. */
export interface StandingDifferences {
  readonly comparison: Comparison
  /** Files by class: those of a class that are not named count as the comparison found them. */
  readonly amounts: Amounts
  /** Those of them that wait for nothing: a person is to look at them. */
  readonly needs: Amounts
  /** New files that are neither recorded nor being taken in. */
  readonly unrecorded: number
  /** Named ones, at most 50 of each class. */
  readonly first: readonly StandingDifference[]
}

/** Answers for each store whose policy has it compared: the last comparison of another one tells nothing of today. */
export const standingOfCompared = (views: Known, store?: string): readonly StandingDifferences[] => {
  const where = store === undefined ? [] : [is('store', store)]
  const compared = new Set(
    rowsIfFolded(views, stores, { where }).flatMap((row) => (row.newFiles ? [row.store] : [])),
  )
  return rowsIfFolded(views, comparisons, { where })
    .filter((row) => compared.has(row.store))
    .map((row) => standing(views, row))
}

/** Reads the items that the comparison names, and no others. */
export const standing = (views: Known, comparison: Comparison): StandingDifferences => {
  const { store, first: named, takenIn } = comparison
  const all = namedIn(named)
  const paths = all.map(({ path }) => path)
  const since = comparison.comparedAt ?? ''
  const [found, resolved] = [itemsAt(views, store, paths), resolvedAt(views, store, paths, since)]
  const first = all
    .filter((one) => stands(one, found.get(one.path), since))
    .map((one) => ({ ...one, waitsFor: waitsFor(found.get(one.path), resolved.has(one.path)) }))
  const left = (kind: NamedDifference['difference']) => first.filter(({ difference }) => difference === kind)
  const unnamed = (kind: NamedDifference['difference']) => Math.max(0, comparison[kind] - named[kind].length)
  const amount = (kind: Kind) => left(kind).length + unnamed(kind)
  const need = (kind: Kind) => left(kind).filter((one) => one.waitsFor === null).length
  const seen = unnamed('missing') > 0 ? findingsBehind(views, store, named.missing.at(-1) ?? '', since) : 0
  return {
    ...{ comparison, first },
    amounts: { missing: amount('missing'), moved: amount('moved'), changed: amount('changed') },
    needs: {
      missing: need('missing') + Math.max(0, unnamed('missing') - seen),
      moved: need('moved') + unnamed('moved'),
      changed: need('changed') + unnamed('changed'),
    },
    unrecorded: Math.max(0, Math.min(comparison.new - takenIn, left('new').length + unnamed('new'))),
  }
}

/** Some class has files that are not named, and none of those that are stands any more: only a listing tells the rest. */
export const namesAreUsedUp = ({ comparison, first }: StandingDifferences): boolean =>
  kinds.some(
    (kind) =>
      comparison[kind] > comparison.first[kind].length &&
      !first.some(({ difference }) => difference === kind),
  )

const kinds = ['missing', 'moved', 'changed'] as const satisfies readonly Kind[]

interface Item {
  readonly state: State
  readonly open: number
  readonly removed: number
  readonly size: number | null
  readonly recordedAt: string | null
  readonly lastVerified: string | null
  /** Absent in views that an older program folded. */
  readonly lastAgreed?: string | null
}

const itemsAt = (views: Known, store: string | null, paths: readonly string[]): ReadonlyMap<string, Item> => {
  const shape = views.shape(items.name)
  if (!shape || paths.length === 0) return new Map()
  const columns = [
    ...(['path', 'state', 'open', 'removed', 'size', 'recordedAt'] as const),
    ...asRecordedColumns(shape),
  ]
  const where = [is('store', store), { column: 'path', is: 'in', value: paths } as const]
  return new Map(narrowRows(views, items, columns, { where }).map((row) => [row.path ?? '', row]))
}

const stands = (one: NamedDifference, item: Item | undefined, since: string): boolean => {
  if (!item) return true
  if (one.difference === 'new') return item.recordedAt === null || item.removed === 1
  if (item.removed === 1 || item.state === 'lost') return false
  // It was recorded anew as it was found.
  if (one.difference === 'changed' && item.size === one.size) return false
  const { lastAgreed = null, lastVerified } = item
  return !(dated.some((state) => state === item.state) && (lastAgreed ?? lastVerified ?? '') > since)
}

const waitsFor = (item: Item | undefined, isResolved: boolean): Waits | null => {
  if (item && item.open > 0) return 'finding'
  if (item?.state === 'parked') return 'revival'
  return item?.state === 'suspect' || isResolved ? 'check' : null
}

/** The paths of which a finding was settled after a time. */
const resolvedAt = (views: Known, store: string | null, paths: readonly string[], since: string) =>
  new Set(
    paths.length === 0
      ? []
      : rowsIfFolded(views, resolutions, {
          where: [
            is('store', store),
            { column: 'path', is: 'in', value: paths },
            { column: 'closedAt', is: '>', value: since },
          ],
        }).map(({ path }) => path),
  )

/** Rows of the table: the object is gone. */
const missingRows = ['F8', 'clause 1']

/** Findings of files that are gone, behind the last one that is named: open, or settled since the comparison. */
const findingsBehind = (views: Known, store: string | null, last: string, since: string): number => {
  const where = [
    is('store', store),
    { column: 'path', is: '>', value: last },
    { column: 'row', is: 'in', value: missingRows },
  ] as const
  return (
    countRows(views, resolutions, ...where, is('status', 'open')) +
    countRows(views, resolutions, ...where, { column: 'closedAt', is: '>', value: since })
  )
}

export const sumOf = ({ missing, moved, changed }: Amounts): number => missing + moved + changed
