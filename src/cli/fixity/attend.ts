import type { System } from '../../app/system.ts'
import { hasBudget } from '../../domain/fixity/due/budgets.ts'
import { stores } from '../../domain/fixity/views.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { BucketInventory } from '../../ports/bucket-inventory.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { attendance } from '../../workers/fixity/attendance.ts'
import { exclusionOf } from '../../workers/fixity/exclusion.ts'
import { relistBags } from '../../workflows/fixity/bags/judge-bags.ts'
import { maxMoved, movesIn, rowsOf } from '../../workflows/fixity/recording/moves.ts'
import { readLikely } from '../../workflows/fixity/recording/read-likely.ts'
import { ignoredIn } from './ignored-in.ts'
import { stillThere } from './inventory.ts'
import { openHashPool } from './open-hash-pool.ts'

/** A check's findings about the folders, in addition to its items. */
export interface Attended {
  /** Present, and not recorded. */
  new: number
  /** Recorded, and missing; `failed` counts them, too, once they are decided. */
  missing: number
  /** The number of these whose bytes are those of exactly one other, later file. */
  moved: number
  /** Present, not recorded, and left out by a pattern, an ignore file or as litter. */
  excluded: number
  /**
   * Folders that could not be listed, and names that are not UTF-8: they may be, or hold, content that is not recorded.
   */
  unlisted: number
  /** The first of the unlisted names. */
  readonly notes: { readonly path: string; readonly note: string }[]
  notesLeftOut: number
  /** Bags that were listed anew, by verdict; absent if there are none. */
  bags?: { valid: number; notValid: number; notProven: number }
}

const nothingSeen = (): Attended => ({
  new: 0,
  missing: 0,
  moved: 0,
  excluded: 0,
  unlisted: 0,
  notes: [],
  notesLeftOut: 0,
})

const maxNotes = 1000

interface AttendScope {
  readonly prefix?: string
  readonly exclude?: readonly string[]
  readonly actor: string
  /** Lists the one store, in the place of its own listing. */
  readonly inventory?: BucketInventory | undefined
}

/** Compares the folders of these stores with the records, each listed once. A missing folder is reported elsewhere. */
export const attend = async (
  system: System,
  names: readonly string[],
  scope: AttendScope,
  signal: AbortSignal,
): Promise<Attended> => {
  const attended = nothingSeen()
  for (const store of names) {
    const root = row(system.viewStore, stores, is('store', store))?.root ?? ''
    const content = scope.inventory?.content ?? openOrNot(system, root)
    if (content) await attendStore(system, { store, root, content }, scope, signal, attended)
  }
  return attended
}

const openOrNot = ({ adapters }: System, root: string): ContentStore | undefined => {
  try {
    return adapters.fixity.openContent(root)
  } catch {
    return undefined
  }
}

const attendStore = async (
  system: System,
  where: { readonly store: string; readonly root: string; readonly content: ContentStore },
  { prefix = '', exclude = [], inventory, actor }: AttendScope,
  signal: AbortSignal,
  attended: Attended,
): Promise<void> => {
  const { store, content } = where
  const listedAt = system.clock.now()
  const note = (path: string, text: string) => {
    if (attended.notes.length < maxNotes) attended.notes.push({ path, note: text })
    else attended.notesLeftOut++
  }
  const isExcluded = exclusionOf([...exclude, ...(await ignoredIn(content, where))])
  const { missing, excluded, unlisted, ...listed } = await attendance(system.viewStore, content, {
    store,
    prefix,
    isExcluded,
    asOf: inventory?.createdAt,
  })
  const fresh = inventory ? await stillThere(content, listed.fresh) : listed.fresh
  attended.new += fresh.length
  attended.missing += missing.length
  attended.excluded += excluded
  attended.unlisted += unlisted.length
  for (const { path, reason } of unlisted) note(path, reason)
  const lost = rowsOf(system.viewStore, store, missing)
  const isMany = fresh.length > maxMoved
  if (isMany && lost.length > 0)
    note('.', `more than ${maxMoved} files are new: which of them were moved is not told`)
  const isBudgeted = hasBudget(system.viewStore, store)
  if (isBudgeted && lost.length > 0 && fresh.length > 0)
    note('.', 'new files are not read, for the store has a byte budget: which of them were moved is not told')
  const read =
    lost.length > 0 && fresh.length > 0 && !isMany && !isBudgeted
      ? await readNow(system, where, fresh, lost, signal)
      : []
  const moves = new Map(movesIn(system.viewStore, store, lost, read).map(({ from, to }) => [from, to]))
  attended.moved += moves.size
  for (const path of missing) {
    const to = moves.get(path)
    note(path, to === undefined ? 'is not there' : `is not there; ${to} has its bytes`)
  }
  const moved = new Set(moves.values())
  for (const path of fresh) if (!moved.has(path)) note(path, 'is new')
  const judged = await relistBags(system, content, {
    ...{ store, prefix, actor, signal },
    found: listed.bagFolders,
    listedAt: inventory?.createdAt ?? listedAt,
  })
  for (const { bag, verdict, because } of judged) {
    attended.bags ??= { valid: 0, notValid: 0, notProven: 0 }
    attended.bags[counterOf[verdict]]++
    if (verdict !== 'valid')
      note(bag, `this bag is ${verdict === 'not-valid' ? 'not valid' : 'not proven'}. ${because}`)
  }
}

const counterOf = { valid: 'valid', 'not-valid': 'notValid', 'not-proven': 'notProven' } as const

const readNow = async (
  system: System,
  ...[where, fresh, lost, signal]: Tail<Parameters<typeof readLikely>>
) => {
  const pool = openHashPool(system)
  try {
    return await readLikely(pool, where, fresh, lost, signal)
  } finally {
    await pool.close()
  }
}

type Tail<All extends readonly unknown[]> = All extends readonly [unknown, ...infer Rest] ? Rest : never
