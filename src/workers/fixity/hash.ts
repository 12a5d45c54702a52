import { createHash } from 'node:crypto'
import type { IHasher } from 'hash-wasm'
import type { Algorithm, Checksum } from '../../domain/fixity/checksum.ts'

/** Several digests of the same bytes, in one pass. */
interface MultiHash {
  update(chunk: Uint8Array): void
  /** Ends it. In the order of the algorithms. */
  digest(): readonly Checksum[]
}

interface Hasher {
  update(chunk: Uint8Array): unknown
  digest(): string
}

export const multiHash = async (algorithms: readonly Algorithm[]): Promise<MultiHash> => {
  const hashers: { readonly algorithm: Algorithm; readonly hasher: Hasher }[] = []
  for (const algorithm of new Set(algorithms)) hashers.push({ algorithm, hasher: await hasherOf(algorithm) })
  return {
    update: (chunk) => {
      for (const { hasher } of hashers) hasher.update(chunk)
    },
    digest: () => hashers.map(({ algorithm, hasher }) => ({ algorithm, value: hasher.digest() })),
  }
}

const nodeName = { md5: 'md5', 'sha-1': 'sha1', 'sha-256': 'sha256', 'sha-512': 'sha512' } as const

const hasherOf = async (algorithm: Algorithm): Promise<Hasher> => {
  if (algorithm === 'crc32c') return crc32c()
  const hash = createHash(nodeName[algorithm])
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('hex') }
}

/** Hashers are pooled: the WebAssembly memory of each costs more than the digest of a small file. */
const spareCrc32c: IHasher[] = []

/** Loaded only when it is asked for: threads that never need it start sooner. */
const newCrc32c = async (): Promise<IHasher> => {
  const { createCRC32 } = (await import('hash-wasm')).default
  return createCRC32(castagnoli)
}

/** The reversed polynomial of CRC-32C. */
const castagnoli = 0x82f63b78

const crc32c = async (): Promise<Hasher> => {
  const hash = (spareCrc32c.pop() ?? (await newCrc32c())).init()
  return {
    update: (chunk) => hash.update(chunk),
    digest: () => {
      const value = hash.digest('hex')
      spareCrc32c.push(hash)
      return value
    },
  }
}
