import { existsSync, renameSync, statSync } from 'node:fs'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { FoldedLog, ViewStore } from '../../../src/ports/view-store.ts'
import { areDamaged } from './connection.ts'
import { openViewStore, type ViewStoreOptions } from './view-store.ts'

interface MendingOptions extends ViewStoreOptions {
  /** Called with the name under which a damaged file was kept. */
  readonly onPutAside?: (kept: string) => void
}

/**
 * A view store that replaces a damaged file by an empty one, to be folded anew from the log; the damaged file is kept under
 * another name. The call that met the damage throws `UnavailableError`; the projections then fold again from the beginning.
 */
export const openMendingViews = (file: string, options: MendingOptions = {}): ViewStore => {
  const { ask, bindTo, close } = openReplaceable(file, options)
  return {
    foldedLog: () => ask((views) => views.foldedLog()),
    bindTo,
    live: (projection) => ask((views) => views.live(projection)),
    generations: () => ask((views) => views.generations()),
    create: (...of) => ask((views) => views.create(...of)),
    promote: (generation) => ask((views) => views.promote(generation)),
    drop: (generation) => ask((views) => views.drop(generation)),
    checkpoint: (generation) => ask((views) => views.checkpoint(generation)),
    fold: (...of) => ask((views) => views.fold(...of)),
    pass: (passes) => ask((views) => views.pass(passes)),
    query: (...of) => ask((views) => views.query(...of)),
    tally: (...of) => ask((views) => views.tally(...of)),
    withWord: (...of) => ask((views) => views.withWord(...of)),
    shape: (view) => ask((views) => views.shape(view)),
    views: () => ask((views) => views.views()),
    moment: (...of) => ask((views) => views.moment(...of)),
    asOf: (...of) => ask((views) => views.asOf(...of)),
    dropHistory: (...of) => ask((views) => views.dropHistory(...of)),
    historyFrom: (generation) => ask((views) => views.historyFrom(generation)),
    compare: (...of) => ask((views) => views.compare(...of)),
    comparer: () => ask((views) => views.comparer()),
    snapshot: () => ask((views) => views.snapshot()),
    scratch: () => ask((views) => views.scratch()),
    close,
  }
}

/** Smaller files are checked for damage whenever they are opened: some 10 ms at most. */
const smallFile = 16 * 1024 ** 2

/** The store that is open now, until its file turns out to be damaged. */
const openReplaceable = (file: string, options: MendingOptions) => {
  const { onPutAside = () => {} } = options
  const settings = { checkedUpTo: smallFile, ...options }
  let log: FoldedLog | undefined

  const replace = (inode: number | undefined) => {
    const kept = putAside(file, inode)
    if (kept !== undefined) onPutAside(kept)
    // A generation of the old file must not be taken for one of the new file, so ids continue far behind the old ones.
    const fresh = openViewStore(file, { ...settings, firstId: Math.floor(Date.now() / 1000) })
    if (log) fresh.bindTo(log, [])
    return { fresh, kept }
  }

  const openOrReplace = (): ViewStore => {
    try {
      return openViewStore(file, settings)
    } catch (error) {
      if (!areDamaged(error)) throw error
      return replace(undefined).fresh
    }
  }

  let store = openOrReplace()
  let inode = inodeOf(file)

  const mend = (): UnavailableError => {
    try {
      store.close()
    } catch {
      // Nothing in it is worth keeping.
    }
    const { fresh, kept } = replace(inode)
    store = fresh
    inode = inodeOf(file)
    return new UnavailableError(
      `${file}: the views are damaged and are being rebuilt${kept === undefined ? '' : `; the damaged file is kept as ${kept}`}`,
    )
  }

  const ask = <A>(question: (views: ViewStore) => A): A => {
    try {
      return question(store)
    } catch (error) {
      throw areDamaged(error) ? mend() : error
    }
  }

  const bindTo: ViewStore['bindTo'] = (folded, corrections) => {
    log = folded
    ask((views) => views.bindTo(folded, corrections))
  }

  return { ask, bindTo, close: () => store.close() }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

/**
 * Renames the file, and returns its new name. Undefined where it no longer has that inode, because another process has
 * replaced it; any inode will do where none is given.
 */
const putAside = (file: string, inode: number | undefined): string | undefined => {
  const now = inodeOf(file)
  if (now === undefined || (inode !== undefined && now !== inode)) return undefined
  const kept = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`
  for (const ending of ['', '-wal', '-shm'])
    if (existsSync(file + ending)) renameSync(file + ending, kept + ending)
  return kept
}
