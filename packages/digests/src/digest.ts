/* Digest algorithms, and the forms in which people and storages write digests. */

/** Known algorithms, with the bytes of a digest. */
export const digestBytes = {
  md5: 16,
  'sha-1': 20,
  'sha-224': 28,
  'sha-256': 32,
  'sha-384': 48,
  'sha-512': 64,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
  'blake2b-160': 20,
  'blake2b-256': 32,
  'blake2b-384': 48,
  'blake2b-512': 64,
  blake3: 32,
  crc32: 4,
  crc32c: 4,
} as const
export type Algorithm = keyof typeof digestBytes
export const algorithms = Object.keys(digestBytes) as readonly Algorithm[]

export const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(digestBytes, name)

/** `SHA256`, `sha_256`, `sha256` → `sha-256`. Unknown names are only lower-cased. */
export const algorithmName = (name: string): string => {
  const bare = bareName(name)
  return algorithms.find((known) => bareName(known) === bare) ?? name.trim().toLowerCase()
}

const bareName = (name: string): string => name.trim().toLowerCase().replaceAll(/[-_ ]/g, '')

/** Names without a length: the digits of the value decide the algorithm. */
const byLength: Readonly<Record<string, (bytes: number) => string>> = {
  blake2b: (bytes) => `blake2b-${bytes * 8}`,
  b2sum: (bytes) => `blake2b-${bytes * 8}`,
  sha3: (bytes) => `sha3-${bytes * 8}`,
}

/** A digest as written: any name of an algorithm, any form of a value. */
export interface RawDigest {
  readonly algorithm: string
  readonly value: string
}

/** A digest in normal form. */
export interface Digest {
  readonly algorithm: Algorithm
  /** Lower-case hex. */
  readonly value: string
}

/**
 * Returns the normal form of a digest. People and storages write any case, hex or base64, and quotes around
 * it. Undefined if the value is not a digest of that algorithm, such as a multipart tag (`"9b2…-12"`): it
 * cannot be compared.
 */
export const normaliseDigest = (raw: RawDigest): Digest | undefined => {
  // Nearly all are in normal form already, which costs a tenth to detect.
  if (isAlgorithm(raw.algorithm) && isDigest(raw.algorithm, raw.value))
    return { algorithm: raw.algorithm, value: raw.value }
  const text = raw.value
    .trim()
    .replace(/^(W\/)?"(.*)"$/, '$2')
    .trim()
  const named = byLength[bareName(raw.algorithm)]
  const algorithm = named ? named(text.length / 2) : algorithmName(raw.algorithm)
  if (!isAlgorithm(algorithm)) return undefined
  const bytes = digestBytes[algorithm]
  if (/^[0-9a-f]+$/i.test(text) && text.length === bytes * 2) return { algorithm, value: text.toLowerCase() }
  const hex = base64ToHex(text)
  return hex?.length === bytes * 2 ? { algorithm, value: hex } : undefined
}

const base64ToHex = (text: string): string | undefined => {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Array.from(binary, (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  } catch {
    return undefined
  }
}

/** Returns true for normal form: lower-case hex of the algorithm's length. */
export const isDigest = (algorithm: Algorithm, value: string): boolean =>
  value.length === digestBytes[algorithm] * 2 && /^[0-9a-f]+$/.test(value)
