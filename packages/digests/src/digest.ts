import { type Algorithm, algorithmOfLength, digestBytes, isAlgorithm } from './algorithms.ts'
import { type AnyAlgorithm, partsOf } from './parts.ts'

/* The forms in which people and storages write digests. */

/** A digest as written: any name of an algorithm, any form of a value. */
export interface RawDigest {
  readonly algorithm: string
  readonly value: string
}

/** A digest in normal form. */
export interface Digest {
  readonly algorithm: AnyAlgorithm
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
  const parts = partsOf(raw.algorithm)
  if (parts) {
    const whole = normaliseDigest({ algorithm: parts.of, value: raw.value })
    return whole && { algorithm: raw.algorithm as AnyAlgorithm, value: whole.value }
  }
  const text = raw.value
    .trim()
    .replace(/^(W\/)?"(.*)"$/, '$2')
    .trim()
  const algorithm = algorithmOfLength(raw.algorithm, text.length / 2)
  if (algorithm === undefined) return undefined
  const bytes = digestBytes[algorithm]
  if (/^[0-9a-f]+$/i.test(text) && text.length === bytes * 2) return { algorithm, value: text.toLowerCase() }
  const hex = base64ToHex(text)
  return hex?.length === bytes * 2 ? { algorithm, value: hex } : undefined
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** `binary` has a character for each byte. */
const hexOf = (binary: string): string => {
  let hex = ''
  for (let i = 0; i < binary.length; i++) hex += hexDigits[binary.charCodeAt(i)]
  return hex
}

const base64ToHex = (text: string): string | undefined => {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  try {
    return hexOf(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

/** Returns lower-case hex of a digest in base64 as RFC 4648 §4 has it; undefined for any other text or length. */
export const digestFromBase64 = (algorithm: Algorithm, text: string): string | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    const binary = atob(text)
    return binary.length === digestBytes[algorithm] && btoa(binary) === text ? hexOf(binary) : undefined
  } catch {
    return undefined
  }
}

/** Base64, as RFC 4648 §4 has it, of hex. */
export const digestToBase64 = (hex: string): string =>
  btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))

/** Returns true for normal form: lower-case hex of the algorithm's length. */
export const isDigest = (algorithm: Algorithm, value: string): boolean =>
  value.length === digestBytes[algorithm] * 2 && /^[0-9a-f]+$/.test(value)
