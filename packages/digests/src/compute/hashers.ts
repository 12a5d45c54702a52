import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { IHasher } from 'hash-wasm'
import { type Algorithm, isAlgorithm } from '../algorithms.ts'
import { type AnyAlgorithm, partsOf } from '../parts.ts'
import { hashParts } from './hash-parts.ts'
import type { Hasher } from './hasher.ts'
import { createMd2 } from './md2.ts'

/* Each algorithm is computed by Node, by hash-wasm, or here. */

interface NodeHash {
  readonly name: string
  /** Bytes, where Node leaves the choice. */
  readonly outputLength?: number
}

/** Algorithms that Node computes, by Node's names. */
const nodeHashes: Readonly<Partial<Record<Algorithm, NodeHash>>> = {
  md5: { name: 'md5' },
  'sha-1': { name: 'sha1' },
  'sha-224': { name: 'sha224' },
  'sha-256': { name: 'sha256' },
  'sha-384': { name: 'sha384' },
  'sha-512': { name: 'sha512' },
  'sha-512/224': { name: 'sha512-224' },
  'sha-512/256': { name: 'sha512-256' },
  'sha3-224': { name: 'sha3-224' },
  'sha3-256': { name: 'sha3-256' },
  'sha3-384': { name: 'sha3-384' },
  'sha3-512': { name: 'sha3-512' },
  'shake128-128': { name: 'shake128', outputLength: 16 },
  'shake128-256': { name: 'shake128', outputLength: 32 },
  'shake256-256': { name: 'shake256', outputLength: 32 },
  'shake256-512': { name: 'shake256', outputLength: 64 },
  'blake2b-512': { name: 'blake2b512' },
  'blake2s-256': { name: 'blake2s256' },
  sm3: { name: 'sm3' },
  'md5-sha1': { name: 'md5-sha1' },
}

/** Undefined for algorithms that Node does not compute. */
export const nodeHashOf = (algorithm: AnyAlgorithm): NodeHash | undefined =>
  isAlgorithm(algorithm) ? nodeHashes[algorithm] : undefined

/** A hasher of Node, made at once; undefined for algorithms that Node does not compute. */
export const nodeHasher = (algorithm: AnyAlgorithm): Hasher | undefined => {
  if (algorithm === 'crc32') return nodeCrc32()
  const node = nodeHashOf(algorithm)
  if (!node) return undefined
  const { name, outputLength } = node
  const hash = createHash(name, outputLength === undefined ? {} : { outputLength })
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('hex') }
}

const nodeCrc32 = (): Hasher => {
  let sum = 0
  return {
    update: (chunk) => {
      sum = crc32(chunk, sum)
    },
    digest: () => sum.toString(16).padStart(8, '0'),
  }
}

/** The reversed polynomial of CRC-32C. */
const castagnoli = 0x82f63b78
/** The reversed polynomial of CRC-64/NVME. */
const nvme = '9a6c9329ac4bc9b5'

type Make = (wasm: typeof import('hash-wasm')) => Promise<IHasher>

const ofHashWasm: Readonly<Partial<Record<Algorithm, Make>>> = {
  md4: ({ createMD4 }) => createMD4(),
  'blake2b-160': ({ createBLAKE2b }) => createBLAKE2b(160),
  'blake2b-256': ({ createBLAKE2b }) => createBLAKE2b(256),
  'blake2b-384': ({ createBLAKE2b }) => createBLAKE2b(384),
  'blake2s-128': ({ createBLAKE2s }) => createBLAKE2s(128),
  'blake2s-160': ({ createBLAKE2s }) => createBLAKE2s(160),
  'blake2s-224': ({ createBLAKE2s }) => createBLAKE2s(224),
  blake3: ({ createBLAKE3 }) => createBLAKE3(),
  'ripemd-160': ({ createRIPEMD160 }) => createRIPEMD160(),
  whirlpool: ({ createWhirlpool }) => createWhirlpool(),
  crc32c: ({ createCRC32 }) => createCRC32(castagnoli),
  crc64nvme: ({ createCRC64 }) => createCRC64(nvme),
  adler32: ({ createAdler32 }) => createAdler32(),
}

/**
 * Makes the hashers that Node does not have. One that has ended is used again: the WebAssembly memory of each costs more
 * than the digest of a small file. hash-wasm is loaded at its first use: threads that never need it start sooner.
 */
export const createOtherHashers = () => {
  const spare = new Map<Algorithm, IHasher[]>()
  const otherHasher = async (algorithm: Algorithm): Promise<Hasher> => {
    if (algorithm === 'md2') return md2()
    const own = spare.get(algorithm) ?? []
    spare.set(algorithm, own)
    const hash = own.pop() ?? (await newHasher(algorithm))
    return ofWasm(hash, () => own.push(hash))
  }
  return async (algorithm: AnyAlgorithm): Promise<Hasher> => {
    const parts = partsOf(algorithm)
    if (!parts) return otherHasher(algorithm as Algorithm)
    return hashParts(parts.sizes, await hasherOf(parts.of, otherHasher), await createInTurn(parts.of))
  }
}

const hasherOf = async (
  algorithm: Algorithm,
  other: (algorithm: Algorithm) => Promise<Hasher>,
): Promise<Hasher> => nodeHasher(algorithm) ?? (await other(algorithm))

/** A factory of hashers, of which one is used at a time. */
const createInTurn = async (algorithm: Algorithm): Promise<() => Hasher> => {
  if (algorithm === 'md2') return md2
  if (nodeHasher(algorithm)) return () => nodeHasher(algorithm) as Hasher
  const hash = await newHasher(algorithm)
  return () => ofWasm(hash)
}

const newHasher = async (algorithm: Algorithm): Promise<IHasher> => {
  const make = ofHashWasm[algorithm]
  if (!make) throw new Error(`nothing computes ${algorithm}`)
  return make((await import('hash-wasm')).default)
}

const ofWasm = (hash: IHasher, onEnd: () => void = () => {}): Hasher => {
  hash.init()
  return {
    update: (chunk) => hash.update(chunk),
    digest: () => {
      const value = hash.digest('hex')
      onEnd()
      return value
    },
  }
}

const md2 = (): Hasher => {
  const hash = createMd2()
  return { update: (chunk) => hash.update(chunk), digest: () => hash.end() }
}
