import { bundleAt, isSameHash, type Verifier } from '@fonds/tlog'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import type { EventStore } from '../../../ports/event-store.ts'
import { BrokenTree, bundleEntries, openHead, type TileFiles } from '../open-tree.ts'
import { compareLog, type RemovedBy } from './compare-log.ts'
import type { Difference } from './differences.ts'
import { expectTile } from './expect-tiles.ts'

export interface CheckedLog {
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: bigint
  readonly same: number
  readonly removedBy: readonly RemovedBy[]
  readonly deleted: number
  readonly unsealed: number
  readonly isCut: boolean
}

interface CheckOptions {
  readonly onDifference: (difference: Difference) => void
  readonly onProgress: (leaves: number, of: number) => void
  /** With each entry, in the order of the tree. */
  readonly onEntry?: (index: bigint, entry: Uint8Array) => void
  readonly signal: AbortSignal
  /** After so many differences the rest is not compared; absent: 1000. */
  readonly most?: number
}

/**
 * Compares the whole log with its tree, and the tree with its signed head: the root is computed again from all entries. Throws
 * `BrokenTree` where the files are not what was signed, `UntrustedNote`, `UnavailableError`.
 */
export const checkLog = async (
  eventStore: EventStore,
  files: TileFiles,
  head: string,
  verifiers: readonly Verifier[],
  { onDifference, onProgress, onEntry, signal, ...range }: CheckOptions,
): Promise<CheckedLog> => {
  const { origin, size, root } = openHead(head, verifiers)
  const tree = emptyTree()
  async function* entries(): AsyncGenerator<Uint8Array> {
    for (let index = 0n; tree.size < size; index++) {
      signal.throwIfAborted()
      const { width } = bundleAt(index, size)
      const bundle = await bundleEntries(files, index, width)
      for (const entry of bundle.slice(0, width)) {
        onEntry?.(tree.size, entry)
        for (const tile of tree.append(leafHash(entry))) await expectTile(files, tile)
        yield entry
      }
    }
  }
  const all = entries()
  const onLeaves = (leaves: number) => onProgress(leaves, Number(size))
  const compared = await compareLog(eventStore, all, onDifference, onLeaves, range)
  for await (const _ of all) {
    // Entries that were not compared are hashed nonetheless.
  }
  for (const tile of tree.partial()) await expectTile(files, tile)
  if (!isSameHash(tree.root(), root))
    throw new BrokenTree(`the entries in ${files.folder} are not those that the head of ${size} leaves signs`)
  return { origin, size, ...compared }
}
