import { type Checkpoint, isSameHash, parseHash } from '@fonds/tlog'
import { emptyTree, type FullTile, isIncluded, leafHash } from '@fonds/tlog/compute'
import { isRight } from 'fp-ts/lib/Either.js'
import { parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { type ExportedLine, exportEntries, tileBytes, UnreadableExport } from './export-files.ts'
import type { Findings } from './findings.ts'

/** Finds leaves of a tree, in the order of the tree. */
export interface Leaves {
  has(line: ExportedLine): Promise<boolean>
  /** To be called behind the last line. */
  end(): Promise<void>
}

/** By the hashes that stand beside each. */
export const leavesByProofs = ({ size, root }: Checkpoint): Leaves => ({
  has: async ({ index, entry, proof = [] }) => {
    const hashes = proof.map(parseHash)
    return (
      hashes.every((hash) => hash !== undefined) &&
      isIncluded({ leaf: leafHash(Buffer.from(entry)), index: BigInt(index), size, root, proof: hashes })
    )
  },
  end: async () => {},
})

/** Computes the root again from all entries; every event from the leaf `from` on must have a line. Memory stays flat. */
export const leavesByTree = (
  folder: string,
  { size, root }: Checkpoint,
  from: bigint,
  findings: Findings,
): Leaves => {
  const entries = exportEntries(folder, size)
  const tree = emptyTree()

  const take = async (): Promise<Uint8Array> => {
    const { value: entry, done } = await entries.next()
    if (done)
      throw new UnreadableExport(
        'events.ndjson names a leaf beyond the tree, or is not in the order of the leaves',
      )
    for (const tile of tree.append(leafHash(entry))) await expectSame(folder, tile, findings)
    return entry
  }
  const passOver = async (): Promise<void> => {
    const index = tree.size
    const entry = await take()
    if (index >= from && isRight(parseEventEntry(entry)))
      findings.fails(`leaf ${index}: this event was left out of events.ndjson`)
  }

  return {
    has: async ({ index, entry }) => {
      if (BigInt(index) < tree.size)
        throw new UnreadableExport('events.ndjson is not in the order of the leaves, or names one twice')
      while (tree.size < BigInt(index)) await passOver()
      return Buffer.compare(await take(), Buffer.from(entry)) === 0
    },
    end: async () => {
      while (tree.size < size) await passOver()
      for (const tile of tree.partial()) await expectSame(folder, tile, findings)
      if (isSameHash(tree.root(), root))
        findings.holds(`the root, computed again from all ${size} entries, is the signed one`)
      else findings.fails(`the root of all entries is ${hex(tree.root())}, the signed one is ${hex(root)}`)
    },
  }
}

/** Proofs that are asked for later come from these tiles. */
const expectSame = async (
  folder: string,
  { bytes, ...tile }: FullTile,
  findings: Findings,
): Promise<void> => {
  if (Buffer.compare(await tileBytes(folder, tile), bytes) !== 0)
    findings.fails(`tile ${tile.index} of level ${tile.level} does not have the hashes of its entries`)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
