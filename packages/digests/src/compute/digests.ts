import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createAdler32 } from 'hash-wasm'
import type { DigestAlgorithm } from '../digest-names.ts'
import { createMd2 } from './md2.ts'

/** Computes several digests of one sequence of bytes. */
export interface Digests {
  update(chunk: Uint8Array): void
  /** Lower-case hex. */
  end(): ReadonlyMap<DigestAlgorithm, string>
}

interface Digest {
  update(chunk: Uint8Array): unknown
  end(): string
}

export const createDigests = async (algorithms: Iterable<DigestAlgorithm>): Promise<Digests> => {
  const all = await Promise.all(
    [...new Set(algorithms)].map(async (algorithm) => [algorithm, await createDigest(algorithm)] as const),
  )
  return {
    update: (chunk) => {
      for (const [, digest] of all) digest.update(chunk)
    },
    end: () => new Map(all.map(([algorithm, digest]) => [algorithm, digest.end()])),
  }
}

const createDigest = async (algorithm: DigestAlgorithm): Promise<Digest> => {
  if (algorithm === 'adler32') {
    const adler = await createAdler32()
    return { update: (chunk) => adler.update(chunk), end: () => adler.digest('hex') }
  }
  if (algorithm === 'crc32') {
    let sum = 0
    return {
      update: (chunk) => {
        sum = crc32(chunk, sum)
      },
      end: () => sum.toString(16).padStart(8, '0'),
    }
  }
  if (algorithm === 'md2') return createMd2()
  const hash = createHash(algorithm)
  return { update: (chunk) => hash.update(chunk), end: () => hash.digest('hex') }
}
