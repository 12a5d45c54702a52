import { type BagContent, type BagStructure, speakingStates } from '../../../domain/fixity/bags/judging.ts'
import type { State } from '../../../domain/fixity/item-states.ts'
import { items } from '../../../domain/fixity/views.ts'
import { is, narrowRows, tally } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { foldersBelow, isExpected, lateBelow, maxGroups, maxLate } from './folder-counts.ts'
import { countsOf } from './store-counts.ts'

/** `.` is the root. */
export const folderOfBag = (bag: string): string => (bag === '.' ? '' : bag)

type Counted = { -readonly [Field in keyof BagContent]: BagContent[Field] } & {
  states: Partial<Record<State, number>>
}

/**
 * Counts the items below each of these bags by state, in one pass over an index. An item below nested bags counts for
 * each. What is not counted for want of room makes a bag "not proven", never "valid": its amount differs from the
 * listing's.
 */
export const bagContents = (
  views: ViewStore,
  store: string,
  /** All of them lie below it; `''` is the root. */
  folder: string,
  bags: readonly string[],
  now: string,
): ReadonlyMap<string, BagContent> => {
  const contents = new Map<string, Counted>(
    bags.map((bag) => [bag, { states: {}, baselinedPayload: 0, late: 0, first: null }]),
  )
  if (contents.size === 0) return contents
  const groups = foldersBelow(folder).flatMap((where) =>
    tally(views, items, {
      by: ['folder', 'state'],
      where: [is('store', store), ...where],
      limit: maxGroups + 1,
    }),
  )
  for (const { folder: within, state, count } of groups.slice(0, maxGroups)) {
    if (!isExpected.has(state)) continue
    for (const bag of bagsOver(contents, within)) {
      const content = contents.get(bag) as Counted
      content.states[state] = (content.states[state] ?? 0) + count
      if (state === 'baselined' && isPayloadFolder(bag, within)) content.baselinedPayload += count
    }
  }
  const base = folder === '' ? '' : `${folder}/`
  const late = countsOf(views, store, now).late === 0 ? [] : lateBelow(views, store, base, now)
  for (const { folder: within } of late)
    for (const bag of bagsOver(contents, within)) (contents.get(bag) as Counted).late++
  // More are late than are read: any bag may hold one.
  if (late.length > maxLate) for (const content of contents.values()) content.late ||= 1
  return contents
}

function* bagsOver(contents: ReadonlyMap<string, unknown>, folder: string): Generator<string> {
  if (contents.has('.')) yield '.'
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    if (contents.has(at)) yield at
}

const isPayloadFolder = (bag: string, folder: string): boolean => {
  const data = bag === '.' ? 'data' : `${bag}/data`
  return folder === data || folder.startsWith(`${data}/`)
}

/** The content with those files that a check has read since a listing found them changed (B5). */
export const withReadSince = (
  views: ViewStore,
  store: string,
  { changedPaths = [], listedAt }: Pick<BagStructure, 'changedPaths' | 'listedAt'>,
  content: BagContent,
): BagContent => {
  if (changedPaths.length === 0) return content
  const read = narrowRows(views, items, ['path'], {
    where: [
      is('store', store),
      is('state', 'verified'),
      { column: 'path', is: 'in', value: changedPaths },
      { column: 'lastVerified', is: '>', value: listedAt },
    ],
  })
  return { ...content, readSince: read.flatMap(({ path }) => path ?? []) }
}

/** The content with an item that its rule speaks of: one of the worst state that it has. */
export const withFirst = (views: ViewStore, store: string, bag: string, content: BagContent): BagContent => {
  const state = speakingStates.find((one) => (content.states[one] ?? 0) > 0)
  if (state === undefined) return content
  const folder = folderOfBag(bag)
  const [first] = narrowRows(views, items, ['path', 'because'], {
    where: [
      is('store', store),
      is('state', state),
      ...(folder === '' ? [] : [{ column: 'path', is: 'prefix', value: `${folder}/` } as const]),
    ],
    limit: 1,
  })
  return first ? { ...content, first: { path: first.path, cause: first.because } } : content
}
