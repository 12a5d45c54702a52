import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Text } from '../kernel/codecs.ts'

/** The algorithms that Fonds computes. Checksums of others are kept as text, and never compared. */
export const algorithms = ['md5', 'sha-1', 'sha-256', 'sha-512', 'crc32c'] as const
export type Algorithm = (typeof algorithms)[number]

export const isAlgorithm = (name: string): name is Algorithm =>
  (algorithms as readonly string[]).includes(name)

const digestBytes: Record<Algorithm, number> = {
  md5: 16,
  'sha-1': 20,
  'sha-256': 32,
  'sha-512': 64,
  crc32c: 4,
}

/** (algorithm, value): for a known algorithm lower-case hex. */
export interface Checksum {
  readonly algorithm: string
  readonly value: string
}

/** `SHA256`, `sha_256`, `sha256` → `sha-256`. Unknown names are only lower-cased. */
export const algorithmName = (name: string): string => {
  const bare = name.trim().toLowerCase().replaceAll(/[-_ ]/g, '')
  return algorithms.find((known) => known.replaceAll('-', '') === bare) ?? name.trim().toLowerCase()
}

/**
 * The normal form of a checksum. People and storages write any case, hex or base64, and quotes around it. Undefined where
 * the value is no digest of that algorithm, such as a multipart tag (`"9b2…-12"`): it cannot be compared.
 */
export const normalise = (raw: Checksum): { algorithm: Algorithm; value: string } | undefined => {
  const algorithm = algorithmName(raw.algorithm)
  if (!isAlgorithm(algorithm)) return undefined
  const bytes = digestBytes[algorithm]
  const text = raw.value
    .trim()
    .replace(/^(W\/)?"(.*)"$/, '$2')
    .trim()
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

const RawChecksum = t.type({ algorithm: AlgorithmName, value: Text }, 'checksum')

const hasPlainName = ({ algorithm }: Checksum): boolean => algorithmName(algorithm) === algorithm

/** As `normalise` makes it, or of an algorithm that we do not know. */
const isNormal = (checksum: Checksum): boolean => {
  const { algorithm, value } = checksum
  return isAlgorithm(algorithm)
    ? value.length === digestBytes[algorithm] * 2 && /^[0-9a-f]+$/.test(value)
    : hasPlainName(checksum)
}

/** A checksum of record. One of a known algorithm must be well formed, and is kept in normal form. */
export const Checksum = annotate(
  new t.Type<Checksum, Checksum, unknown>(
    'checksum',
    (u): u is Checksum => RawChecksum.is(u) && isNormal(u),
    (u, context) =>
      pipe(
        RawChecksum.validate(u, context),
        E.chain((raw) => {
          const normal = normalise(raw)
          if (normal) return t.success<Checksum>(normal)
          const algorithm = algorithmName(raw.algorithm)
          if (!isAlgorithm(algorithm)) return t.success<Checksum>({ algorithm, value: raw.value })
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
        E.map((raw) => normalise(raw) ?? { algorithm: algorithmName(raw.algorithm), value: raw.value }),
      ),
    t.identity,
  ),
  { description: "The storage's own word: a digest or a tag of any form." },
  RawChecksum,
)
