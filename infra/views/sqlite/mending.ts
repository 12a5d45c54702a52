import { existsSync, renameSync, statSync } from 'node:fs'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { FoldedLog, ViewStore } from '../../../src/ports/view-store.ts'
import { areDamaged } from './connection.ts'
import { openViewStore, type ViewStoreOptions } from './view-store.ts'

interface MendingOptions extends ViewStoreOptions {
  /** Told under which name a damaged file was kept. */
  readonly onPutAside?: (kept: string) => void
}

/** Smaller files are checked for damage whenever they are opened: some 10 ms at most. */
const smallFile = 16 * 1024 ** 2

/**
 * A view store that replaces a damaged file by an empty one, to be folded anew from the log; the damaged file is kept under
 * another name. The call that met the damage throws `UnavailableError`; whoever folds then begins anew.
 */
export const openMendingViews = (file: string, options: MendingOptions = {}): ViewStore => {
  const { onPutAside = () => {}, checkedUpTo = smallFile } = options
  let log: FoldedLog | undefined

  /** The name under which the file is kept; undefined where another process was faster. */
  const putAside = (inode: number | undefined): string | undefined => {
    const now = statSync(file, { throwIfNoEntry: false })
    if (!now || (inode !== undefined && now.ino !== inode)) return undefined
    const kept = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`
    for (const ending of ['', '-wal', '-shm'])
      if (existsSync(file + ending)) renameSync(file + ending, kept + ending)
    onPutAside(kept)
    return kept
  }

  const openAnew = (): ViewStore => {
    // A generation of the old file must not be taken for one of the new file: ids go on where no old one can be.
    const fresh = openViewStore(file, { ...options, checkedUpTo, firstId: Math.floor(Date.now() / 1000) })
    if (log) fresh.bindTo(log, [])
    return fresh
  }

  const open = (): ViewStore => {
    try {
      return openViewStore(file, { ...options, checkedUpTo })
    } catch (error) {
      if (!areDamaged(error)) throw error
      putAside(undefined)
      return openAnew()
    }
  }

  const inodeOf = () => statSync(file, { throwIfNoEntry: false })?.ino
  let store = open()
  let inode = inodeOf()

  const mend = (): UnavailableError => {
    try {
      store.close()
    } catch {
      // Nothing in it is worth keeping.
    }
    const kept = putAside(inode)
    store = openAnew()
    inode = inodeOf()
    return new UnavailableError(
      `${file}: the views were damaged and are folded anew${kept === undefined ? '' : `; the damaged file is kept as ${kept}`}`,
    )
  }

  const ask = <A>(question: (store: ViewStore) => A): A => {
    try {
      return question(store)
    } catch (error) {
      throw areDamaged(error) ? mend() : error
    }
  }

  return {
    foldedLog: () => ask((views) => views.foldedLog()),
    bindTo: (folded, corrections) => {
      log = folded
      ask((views) => views.bindTo(folded, corrections))
    },
    live: (projection) => ask((views) => views.live(projection)),
    generations: () => ask((views) => views.generations()),
    create: (...of) => ask((views) => views.create(...of)),
    promote: (generation) => ask((views) => views.promote(generation)),
    drop: (generation) => ask((views) => views.drop(generation)),
    checkpoint: (generation) => ask((views) => views.checkpoint(generation)),
    fold: (...of) => ask((views) => views.fold(...of)),
    query: (...of) => ask((views) => views.query(...of)),
    tally: (...of) => ask((views) => views.tally(...of)),
    shape: (view) => ask((views) => views.shape(view)),
    views: () => ask((views) => views.views()),
    compare: (...of) => ask((views) => views.compare(...of)),
    scratch: () => ask((views) => views.scratch()),
    close: () => store.close(),
  }
}
