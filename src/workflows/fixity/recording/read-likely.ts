import * as E from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import type { Checksum } from '../../../domain/fixity/checksum.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { wantedAlgorithms } from '../../../workers/fixity/examine.ts'
import type { HashPool } from '../../../workers/fixity/hash-pool.ts'
import type { NewFile } from './moves.ts'

const width = 32

/** Reads those new files that may be a missing one at another place: of its size, with the digests that it is recorded by. */
export const readLikely = async (
  pool: HashPool,
  store: { readonly root: string; readonly content: ContentStore },
  fresh: readonly string[],
  missing: readonly { readonly size: number | null; readonly checksums: readonly Checksum[] }[],
  signal: AbortSignal,
): Promise<readonly NewFile[]> => {
  const { root, content } = store
  const sizes = new Set(missing.map(({ size }) => size))
  const algorithms = wantedAlgorithms(missing.flatMap(({ checksums }) => checksums))
  const isAnySize = sizes.has(null)
  const read = await sideBySide(fresh, width, async (path): Promise<readonly NewFile[]> => {
    const found = await content.stat(path)()
    if (E.isLeft(found) || !(isAnySize || sizes.has(found.right.size))) return []
    const { size, version } = found.right
    const outcome = await pool.hash({ root, path, version, algorithms, signal })
    return outcome.status === 'read' ? [{ path, size, checksums: outcome.checksums }] : []
  })
  signal.throwIfAborted()
  return read.flat()
}
