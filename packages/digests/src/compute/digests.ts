import { algorithmOf, type DigestAlgorithm } from '../digest-names.ts'
import { createOtherHashers, nodeHasher } from './hashers.ts'

/** Computes several digests of one sequence of bytes. */
export interface Digests {
  update(chunk: Uint8Array): void
  /** Lower-case hex. */
  end(): ReadonlyMap<DigestAlgorithm, string>
}

const otherHasher = createOtherHashers()

export const createDigests = async (algorithms: Iterable<DigestAlgorithm>): Promise<Digests> => {
  const all = await Promise.all(
    [...new Set(algorithms)].map(async (name) => {
      const algorithm = algorithmOf(name)
      return [name, nodeHasher(algorithm) ?? (await otherHasher(algorithm))] as const
    }),
  )
  return {
    update: (chunk) => {
      for (const [, hasher] of all) hasher.update(chunk)
    },
    end: () => new Map(all.map(([name, hasher]) => [name, hasher.digest()])),
  }
}
