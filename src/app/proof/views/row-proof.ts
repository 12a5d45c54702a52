import { inclusionNodes } from '@fonds/tlog'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import type { Value } from '../../../domain/kernel/view.ts'
import type { ViewSnapshot } from '../../../ports/view-store.ts'
import { type RowLeaf, rowLeaves } from '../../../workflows/system/seal-view.ts'

/** A row's place in the tree of its view. */
export interface RowProof {
  readonly index: bigint
  readonly entry: Uint8Array
  /** Hashes from the leaf's sibling up. */
  readonly proof: readonly Uint8Array[]
}

/** Proves a row by its key among so many rows, in one pass behind the one that finds it; undefined if there is no such row. */
export const proveRow = async (
  snapshot: ViewSnapshot,
  view: string,
  key: readonly Value[],
  size: bigint,
  signal?: AbortSignal,
): Promise<RowProof | undefined> => {
  const found = await findRow(snapshot, view, key, signal)
  if (!found) return undefined
  const { index, leaf } = found
  const nodes = inclusionNodes(index, size)
  const hashes = new Map<bigint, Uint8Array>()
  const ranges = nodes.toSorted((a, b) => (a.start < b.start ? -1 : 1))
  let at = 0n
  let tree = emptyTree()
  for await (const leaves of rowLeaves(snapshot, view, signal))
    for (const { entry } of leaves) {
      const here = ranges[hashes.size]
      if (here && at >= here.start) tree.append(leafHash(entry))
      at++
      if (at !== here?.end) continue
      hashes.set(here.start, tree.root())
      tree = emptyTree()
    }
  return { index, entry: leaf.entry, proof: nodes.map(({ start }) => hashes.get(start)!) }
}

const findRow = async (
  snapshot: ViewSnapshot,
  view: string,
  wanted: readonly Value[],
  signal?: AbortSignal,
): Promise<{ readonly index: bigint; readonly leaf: RowLeaf } | undefined> => {
  const { key } = snapshot.views.find(({ name }) => name === view)!
  let before = 0n
  for await (const leaves of rowLeaves(snapshot, view, signal)) {
    const at = leaves.findIndex(({ row }) => key.every((column, i) => row[column] === wanted[i]))
    const leaf = leaves[at]
    if (leaf) return { index: before + BigInt(at), leaf }
    before += BigInt(leaves.length)
  }
  return undefined
}
