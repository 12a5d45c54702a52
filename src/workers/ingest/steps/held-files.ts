import { createHash } from 'node:crypto'
import type { Stage } from '../../../ports/object-store.ts'
import type { ObjectRow } from '../payload/object-rows.ts'

/*
 * A stage costs a storage in a bucket some fifteen requests. The files of a small job need none: their bytes are held in
 * memory, and put with their version. Under another claim they are fetched again.
 */

/** Bytes of one job: a worker has several in hand. */
const maxHeldBytes = 1024 ** 2

/** True if all sizes are announced, and small in sum. */
export const areHeld = (rows: readonly ObjectRow[]): boolean => {
  const sizes = rows.map(({ size }) => size)
  return sizes.every((size) => size !== undefined) && sum(sizes) <= maxHeldBytes
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)

/** A stage whose files are their bytes. */
export const heldStage: Stage = {
  begin: (path) => {
    const chunks: Uint8Array[] = []
    const hash = createHash('sha256')
    let size = 0
    return {
      get size() {
        return size
      },
      write: async (chunk) => {
        hash.update(chunk)
        chunks.push(Uint8Array.from(chunk))
        size += chunk.length
      },
      end: async (accept) => {
        const received = { size, sha256: hash.digest('hex') }
        accept(received)
        return { path, ...received, from: { bytes: Buffer.concat(chunks) } }
      },
      abort: async () => {
        chunks.length = 0
      },
    }
  },
  note: async () => {},
}
