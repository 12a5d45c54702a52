import { estimatedBytes, recentCache } from '@fonds/toolbox'
import type { Row, Views } from '../../domain/kernel/view.ts'
import type { ViewStore } from '../../ports/view-store.ts'

interface Kept {
  readonly position: bigint
  readonly rows: readonly Row[]
}

const defaultBytes = 2 * 1024 ** 2

const newCache = (maxBytes = defaultBytes) =>
  recentCache<Kept>(maxBytes, ({ rows }) => bytesOfKept + estimatedBytes(rows))
/** A kept answer with its question, without its rows. */
const bytesOfKept = 500
const keptOf = new WeakMap<ViewStore, ReturnType<typeof newCache>>()

/** Bounds the tallies of a store that are kept. To be called before the first is. */
export const boundTallies = (store: ViewStore, maxBytes: number): void => {
  keptOf.set(store, newCache(maxBytes))
}

/**
 * Caches tallies of a projection's views by the views' position. A client that scrolls through a list of a million rows
 * asks at each step how many there are, and counting is most of the work.
 */
export const keptTallies = (store: ViewStore, projection: string): Pick<Views, 'tally'> => ({
  tally: (view, tally) => {
    const live = store.live(projection)
    if (!live) return store.tally(view, tally)
    const kept = keptOf.get(store) ?? newCache()
    keptOf.set(store, kept)
    // Read before the rows: they are at least as new.
    const { position } = store.checkpoint(live)
    const question = JSON.stringify([view, live.version, live.id, tally])
    const known = kept.get(question)
    if (known?.position === position) return known.rows
    const rows = store.tally(view, tally)
    kept.set(question, { position, rows })
    return rows
  },
})
