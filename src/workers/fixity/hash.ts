import { hash as digestOf } from 'node:crypto'
import type { AnyAlgorithm } from '@fonds/digests'
import { createOtherHashers, type Hasher, nodeHasher, nodeHashOf } from '@fonds/digests/compute'
import type { Checksum } from '../../domain/fixity/checksum.ts'

/** Computes several digests of the same bytes, in one pass. */
export interface MultiHash {
  update(chunk: Uint8Array): void
  /** Ends it. Returns checksums in the order of the algorithms. */
  digest(): readonly Checksum[]
}

const otherHasher = createOtherHashers()

export const multiHash = async (algorithms: readonly AnyAlgorithm[]): Promise<MultiHash> => {
  const hashers: { readonly algorithm: AnyAlgorithm; readonly hasher: Hasher }[] = []
  for (const algorithm of new Set(algorithms))
    hashers.push({ algorithm, hasher: nodeHasher(algorithm) ?? (await otherHasher(algorithm)) })
  return {
    update: (chunk) => {
      for (const { hasher } of hashers) hasher.update(chunk)
    },
    digest: () => hashers.map(({ algorithm, hasher }) => ({ algorithm, value: hasher.digest() })),
  }
}

/** Digests bytes that are in memory. Returns undefined if Node does not compute one of the algorithms in one call. */
export const digestAtOnce = (
  algorithms: readonly AnyAlgorithm[],
  bytes: Uint8Array,
): readonly Checksum[] | undefined => {
  const checksums: Checksum[] = []
  for (const algorithm of algorithms) {
    const node = nodeHashOf(algorithm)
    if (node === undefined || node.outputLength !== undefined) return undefined
    checksums.push({ algorithm, value: digestOf(node.name, bytes, 'hex') })
  }
  return checksums
}
