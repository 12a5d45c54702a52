import {
  type Dated,
  dated,
  expectedStates,
  type Part,
  type State,
} from '../../../domain/fixity/item-states.ts'
import { items, triedInVain } from '../../../domain/fixity/views.ts'
import { type ConditionOn, is, isSet, narrowRows, tally } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { keptTallies } from '../../runtime/kept-tallies.ts'
import { fixity } from '../projection.ts'
import { below, emptySection, type MutableSection } from './sections.ts'
import { countsOf } from './store-counts.ts'

/*
 * Counts of the items below a folder by state, for each direct entry of the folder. Index `fixity-items (store, folder,
 * state, path, size)` has all of it but late items: those are found among the due ones, which are few while workers
 * run.
 */

/** Most groups read, each of one state in one folder: of more folders the first by name are counted. */
export const maxGroups = 100_000
/** Most late items read. */
export const maxLate = 20_000

export interface FolderCounts {
  /**
   * Direct entries of the folder: folders with a slash at the end, from the store's root, and `.` for its own files.
   */
  readonly sections: ReadonlyMap<string, MutableSection>
  /** False: there are more folders below it than are counted. */
  readonly isWhole: boolean
  /** False: more items are late than are read, and the others are counted by the state that they are in. */
  readonly isLateCounted: boolean
}

export const isExpected: ReadonlySet<State> = new Set(expectedStates)

/** `folder` has no slash at its end; the root is the empty text. */
export const countFolder = (views: ViewStore, store: string, folder: string, now: string): FolderCounts => {
  const base = folder === '' ? '' : `${folder}/`
  const sections = new Map<string, MutableSection>()
  const sectionOf = (within: string): MutableSection => {
    const prefix = below(base, within)
    const section = sections.get(prefix) ?? emptySection()
    sections.set(prefix, section)
    return section
  }
  const groups = foldersBelow(folder).flatMap((where) =>
    tally(keptTallies(views, fixity.name), items, {
      by: ['folder', 'state'],
      sum: ['size'],
      where: [is('store', store), ...where],
      limit: maxGroups + 1,
    }),
  )
  for (const { folder: within, state, count, size } of groups.slice(0, maxGroups)) {
    // Left out here: a condition would be evaluated for every item.
    if (!isExpected.has(state)) continue
    const section = sectionOf(within)
    section.counts.expected += count
    section.counts[state as Part] += count
    section.bytes += size
  }
  const late = countsOf(views, store, now).late === 0 ? [] : lateBelow(views, store, base, now)
  for (const { folder: within, state } of late.slice(0, maxLate)) {
    const { counts } = sectionOf(within)
    counts.late += 1
    counts[state as Dated] -= 1
  }
  return { sections, isWhole: groups.length <= maxGroups, isLateCounted: late.length <= maxLate }
}

/** The folder itself, and all below it: at the root they are one. */
export const foldersBelow = (folder: string): readonly (readonly ConditionOn<typeof items>[])[] =>
  folder === '' ? [[]] : [[is('folder', folder)], [{ column: 'folder', is: 'prefix', value: `${folder}/` }]]

/** A late check is due, under way, or was tried and put off. An index leads to each of these. */
export const lateBelow = (views: ViewStore, store: string, base: string, now: string) => {
  const late: readonly ConditionOn<typeof items>[] = [
    is('store', store),
    ...(base === '' ? [] : [{ column: 'path', is: 'prefix', value: base } as const]),
    { column: 'state', is: 'in', value: dated },
    { column: 'lateAfter', is: '<', value: now },
  ]
  const ways: readonly (readonly ConditionOn<typeof items>[])[] = [
    ...(['high', 'low'] as const).map((queue) => [
      is('queue', queue),
      { column: 'available', is: '<', value: now } as const,
    ]),
    [isSet('heldUntil')],
    [triedInVain(views.shape(items.name))],
  ]
  const found = ways.flatMap((way) =>
    narrowRows(views, items, ['path', 'folder', 'state'], { where: [...late, ...way], limit: maxLate + 1 }),
  )
  return [...new Map(found.map((row) => [row.path, row])).values()]
}
