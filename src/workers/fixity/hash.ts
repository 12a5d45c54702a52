import { createHash, hash as digestOf } from 'node:crypto'
import type { Algorithm } from '@fonds/digests'
import type { IHasher } from 'hash-wasm'
import type { Checksum } from '../../domain/fixity/checksum.ts'

/** Computes several digests of the same bytes, in one pass. */
export interface MultiHash {
  update(chunk: Uint8Array): void
  /** Ends it. Returns checksums in the order of the algorithms. */
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

/** Algorithms that Node computes, by Node's names; hash-wasm computes the others. */
const nodeNames: Readonly<Partial<Record<Algorithm, string>>> = {
  md5: 'md5',
  'sha-1': 'sha1',
  'sha-224': 'sha224',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
  'sha3-224': 'sha3-224',
  'sha3-256': 'sha3-256',
  'sha3-384': 'sha3-384',
  'sha3-512': 'sha3-512',
  'blake2b-512': 'blake2b512',
}

/** Digests bytes that are in memory. Returns undefined if Node does not compute one of the algorithms. */
export const digestAtOnce = (
  algorithms: readonly Algorithm[],
  bytes: Uint8Array,
): readonly Checksum[] | undefined => {
  const checksums: Checksum[] = []
  for (const algorithm of algorithms) {
    const name = nodeNames[algorithm]
    if (name === undefined) return undefined
    checksums.push({ algorithm, value: digestOf(name, bytes, 'hex') })
  }
  return checksums
}

const hasherOf = async (algorithm: Algorithm): Promise<Hasher> => {
  const name = nodeNames[algorithm]
  if (name === undefined) return pooled(algorithm)
  const hash = createHash(name)
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('hex') }
}

/** Hashers are pooled: the WebAssembly memory of each costs more than the digest of a small file. */
const spare = new Map<Algorithm, IHasher[]>()

/** The reversed polynomial of CRC-32C. */
const castagnoli = 0x82f63b78

/** hash-wasm is loaded at its first use: threads that never need it start sooner. */
const newHasher = async (algorithm: Algorithm): Promise<IHasher> => {
  const { createBLAKE2b, createBLAKE3, createCRC32 } = (await import('hash-wasm')).default
  switch (algorithm) {
    case 'crc32':
      return createCRC32()
    case 'crc32c':
      return createCRC32(castagnoli)
    case 'blake3':
      return createBLAKE3()
    case 'blake2b-160':
      return createBLAKE2b(160)
    case 'blake2b-256':
      return createBLAKE2b(256)
    case 'blake2b-384':
      return createBLAKE2b(384)
    default:
      throw new Error(`nothing computes ${algorithm}`)
  }
}

const pooled = async (algorithm: Algorithm): Promise<Hasher> => {
  const own = spare.get(algorithm) ?? []
  spare.set(algorithm, own)
  const hash = (own.pop() ?? (await newHasher(algorithm))).init()
  return {
    update: (chunk) => hash.update(chunk),
    digest: () => {
      const value = hash.digest('hex')
      own.push(hash)
      return value
    },
  }
}
