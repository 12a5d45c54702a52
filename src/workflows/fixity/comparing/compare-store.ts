import { type Differences, maxFirst } from '../../../domain/fixity/comparison/events.ts'
import { hasBudget } from '../../../domain/fixity/due/budgets.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { attendance } from '../../../workers/fixity/attendance.ts'
import { exclusionOf, readIgnoreFile } from '../../../workers/fixity/exclusion.ts'
import type { HashPool } from '../../../workers/fixity/hash-pool.ts'
import { type Surveyed, survey } from '../../../workers/fixity/survey.ts'
import { createBagWatch, type ListedBag } from '../bags/bag-watch.ts'
import type { FixityContext } from '../context.ts'
import { knownFiles } from '../known-checksums.ts'
import { maxMoved, movesIn, rowsOf } from '../recording/moves.ts'
import { readLikely } from '../recording/read-likely.ts'

export interface ComparedStore {
  readonly store: string
  readonly root: string
  readonly content: ContentStore
}

export interface Comparison {
  readonly differences: Differences
  /** Not recorded, and no moved file: may be taken in. */
  readonly fresh: readonly string[]
  readonly bags: readonly ListedBag[]
}

const batchSize = 200

type Changed = Differences['first']['changed'][number]

/** Compares a folder or bucket with its record, as `fixity add` and `fixity check` do. Throws what the listing throws. */
export const compareStore = async (
  context: FixityContext,
  where: ComparedStore,
  pool: HashPool,
  signal: AbortSignal,
): Promise<Comparison> => {
  const { viewStore } = context
  const { store, content } = where
  const isExcluded = exclusionOf(await readIgnoreFile(content))
  const { changed, bags } = await surveyed(context, where, signal)
  const listed = await attendance(viewStore, content, { store, prefix: '', isExcluded })
  signal.throwIfAborted()
  const lost = rowsOf(viewStore, store, listed.missing)
  const mayRead =
    lost.length > 0 &&
    listed.fresh.length > 0 &&
    listed.fresh.length <= maxMoved &&
    !hasBudget(viewStore, store)
  const read = mayRead ? await readLikely(pool, where, listed.fresh, lost, signal) : []
  const moved = movesIn(viewStore, store, lost, read)
  const from = new Set(moves(moved, 'from'))
  const to = new Set(moves(moved, 'to'))
  const fresh = listed.fresh.filter((path) => !to.has(path))
  const missing = listed.missing.filter((path) => !from.has(path))
  return {
    fresh,
    bags,
    differences: {
      new: fresh.length,
      missing: missing.length,
      moved: moved.length,
      changed: changed.length,
      unlisted: listed.unlisted.length,
      excluded: listed.excluded,
      first: {
        new: fresh.slice(0, maxFirst),
        missing: missing.slice(0, maxFirst),
        moved: moved.slice(0, maxFirst).map(({ from, to }) => ({ from, to })),
        changed: changed.slice(0, maxFirst),
      },
    },
  }
}

const moves = <End extends 'from' | 'to'>(all: readonly Readonly<Record<End, string>>[], end: End) =>
  all.map((one) => one[end])

/** Walks the store once: sizes that differ from the record, and the bags. */
const surveyed = async (
  context: FixityContext,
  { store, content }: ComparedStore,
  signal: AbortSignal,
): Promise<{ readonly changed: readonly Changed[]; readonly bags: readonly ListedBag[] }> => {
  const watch = createBagWatch(context.clock)
  const changed: Changed[] = []
  let batch: Surveyed[] = []
  const flush = () => {
    const known = knownFiles(context, store, batch)
    for (const found of batch) {
      watch.see(found, known, false)
      if (found.kind !== 'recorded' && found.kind !== 'unread') continue
      const recorded = known.get(found.path)?.size ?? null
      if (recorded !== null && recorded !== found.size)
        changed.push({ path: found.path, size: found.size, recorded })
    }
    batch = []
  }
  for await (const found of survey(content)) {
    signal.throwIfAborted()
    batch.push(found)
    if (batch.length >= batchSize) flush()
  }
  flush()
  return { changed, bags: watch.bags }
}
