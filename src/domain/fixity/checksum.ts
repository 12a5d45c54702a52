import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Text } from '../kernel/codecs.ts'

/** The algorithms that Fonds computes, with the bytes of a digest. Checksums of others are kept as text, and never compared. */
const digestBytes = {
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

/** What a checksum of the record stands on; absent: on a word that was recorded by others. */
export const Basis = t.keyof({ 'first-reading': null, unusable: null }, 'basis')
export type Basis = t.TypeOf<typeof Basis>

/** (algorithm, value): for a known algorithm lower-case hex, but of an `unusable` word, which is kept as it was recorded. */
export interface Checksum {
  readonly algorithm: string
  readonly value: string
  readonly basis?: Basis
}

/** `SHA256`, `sha_256`, `sha256` → `sha-256`. Unknown names are only lower-cased. */
export const algorithmName = (name: string): string => {
  const bare = bareName(name)
  return algorithms.find((known) => bareName(known) === bare) ?? name.trim().toLowerCase()
}

const bareName = (name: string): string => name.trim().toLowerCase().replaceAll(/[-_ ]/g, '')

/** Names without a length mean one by the digits that follow. */
const byLength: Readonly<Record<string, (bytes: number) => string>> = {
  blake2b: (bytes) => `blake2b-${bytes * 8}`,
  b2sum: (bytes) => `blake2b-${bytes * 8}`,
  sha3: (bytes) => `sha3-${bytes * 8}`,
}

/** What was found, where nobody had recorded anything. */
export const asFirstReading = (checksums: readonly Checksum[]): readonly Checksum[] =>
  checksums.map((checksum) => ({ ...checksum, basis: 'first-reading' }))

/**
 * The normal form of a checksum. People and storages write any case, hex or base64, and quotes around it. Undefined where
 * the value is no digest of that algorithm, such as a multipart tag (`"9b2…-12"`): it cannot be compared.
 */
export const normalise = (raw: Checksum): { algorithm: Algorithm; value: string } | undefined => {
  if (raw.basis === 'unusable') return undefined
  // As nearly all that is stored: to find out costs a tenth.
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

/** Not blank: the normal form is trimmed, and must be readable again. */
const AlgorithmName = annotate(
  t.refinement(Text, (s) => s.trim().length > 0, 'algorithm name'),
  {
    pattern: '\\S',
    description: `One of ${algorithms.join(', ')}, in any spelling; others compare with nothing.`,
  },
)

const RawChecksum = t.intersection(
  [t.type({ algorithm: AlgorithmName, value: Text }), t.partial({ basis: Basis })],
  'checksum',
)

/** As it stands in an event: any word, so that what is stored stays readable whichever algorithms are known later. */
export const StoredChecksum = t.intersection(
  [t.type({ algorithm: Text, value: Text }), t.partial({ basis: Basis })],
  'stored checksum',
)

/** In normal form. */
const isDigest = (algorithm: Algorithm, value: string): boolean =>
  value.length === digestBytes[algorithm] * 2 && /^[0-9a-f]+$/.test(value)

const hasPlainName = ({ algorithm }: Checksum): boolean => algorithmName(algorithm) === algorithm

/** As `normalise` makes it, or of an algorithm that we do not know. */
const isNormal = (checksum: Checksum): boolean => {
  const { algorithm, value, basis } = checksum
  return isAlgorithm(algorithm) && basis !== 'unusable' ? isDigest(algorithm, value) : hasPlainName(checksum)
}

/** A checksum of record. One of a known algorithm must be well formed, and is kept in normal form, unless it is said to be unusable. */
export const Checksum = annotate(
  new t.Type<Checksum, Checksum, unknown>(
    'checksum',
    (u): u is Checksum => RawChecksum.is(u) && isNormal(u),
    (u, context) =>
      pipe(
        RawChecksum.validate(u, context),
        E.chain((raw) => {
          const basis = raw.basis && { basis: raw.basis }
          const normal = normalise(raw)
          if (normal) return t.success<Checksum>({ ...normal, ...basis })
          const algorithm = algorithmName(raw.algorithm)
          if (!isAlgorithm(algorithm) || raw.basis === 'unusable')
            return t.success<Checksum>({ algorithm, value: raw.value, ...basis })
          const bytes = digestBytes[algorithm]
          return t.failure(u, context, `is no ${algorithm} digest (${bytes} bytes as hex or base64)`)
        }),
      ),
    t.identity,
  ),
  { description: 'A digest as hex or base64; kept as lower-case hex.' },
  RawChecksum,
)

/** A storage's claim. It may be any text; what cannot be compared is kept as it came. */
export const Claim = annotate(
  new t.Type<Checksum, Checksum, unknown>(
    'claim',
    (u): u is Checksum =>
      RawChecksum.is(u) && (isNormal(u) || (hasPlainName(u) && normalise(u) === undefined)),
    (u, context) =>
      pipe(
        RawChecksum.validate(u, context),
        E.map(
          ({ algorithm, value }) =>
            normalise({ algorithm, value }) ?? { algorithm: algorithmName(algorithm), value },
        ),
      ),
    t.identity,
  ),
  { description: "The storage's own word: a digest or a tag of any form." },
  RawChecksum,
)
