import type { StreamsSealed } from '../../../domain/kernel/proof/statements.ts'
import { keyOfEntry } from '../../../domain/kernel/proof/stream-row.ts'
import type { StreamHeads } from '../../../ports/proof-log.ts'
import { rootOfStreams } from '../streams/stream-rows.ts'

/** Streams that are written at once. */
const most = 1000

/** Computes the newest leaf of each stream again from the entries of a tree, and compares it with what was stated. */
export const recomputeStreams = (heads: StreamHeads, stated: StreamsSealed, revision: bigint) => {
  const size = BigInt(stated.size)
  const newest = new Map<string, bigint>()
  const write = (): void => {
    heads.set(newest)
    newest.clear()
  }
  return {
    /** With each entry, in the order of the tree. */
    add: (index: bigint, entry: Uint8Array): void => {
      const key = index < size ? keyOfEntry(entry) : undefined
      if (key === undefined) return
      newest.set(key, index)
      if (newest.size >= most) write()
    },
    /** A sentence without a full stop where they differ. */
    end: async (signal: AbortSignal): Promise<string | undefined> => {
      write()
      const found = await rootOfStreams(heads.all(), signal)
      if (found.root === stated.root && found.streams === stated.streams) return undefined
      return `revision ${revision} of proof-streams states that the first ${size} leaves are of ${stated.streams} streams, whose rows have the root ${stated.root}; the entries give ${found.streams} and ${found.root}`
    },
  }
}
