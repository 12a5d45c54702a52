import {
  algorithmName,
  algorithms,
  baseAlgorithm,
  type Digest,
  digestBytes,
  isDigest,
  normaliseDigest,
} from '@fonds/digests'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Text } from '../kernel/codecs.ts'

/** Basis of a recorded checksum. Absent: others recorded it. */
export const Basis = t.keyof({ 'first-reading': null, unusable: null }, 'basis')
export type Basis = t.TypeOf<typeof Basis>

/**
 * (algorithm, value): lower-case hex for a known algorithm, unless it is `unusable`, which is kept as it was recorded.
 */
export interface Checksum {
  readonly algorithm: string
  readonly value: string
  readonly basis?: Basis
}

/** Marks checksums that nobody had recorded as a first reading. */
export const asFirstReading = (checksums: readonly Checksum[]): readonly Checksum[] =>
  checksums.map((checksum) => ({ ...checksum, basis: 'first-reading' }))

/** Returns the normal form. Undefined if the value is no digest of that algorithm: it cannot be compared. */
export const normalise = (raw: Checksum): Digest | undefined =>
  raw.basis === 'unusable' ? undefined : normaliseDigest(raw)

/** Not blank: the normal form is trimmed and must decode again. */
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

/** A checksum as stored in an event: any text, so that it stays readable whichever algorithms are known later. */
export const StoredChecksum = t.intersection(
  [t.type({ algorithm: Text, value: Text }), t.partial({ basis: Basis })],
  'stored checksum',
)

const hasPlainName = ({ algorithm }: Checksum): boolean => algorithmName(algorithm) === algorithm

/** True for output of `normalise`, and for unknown algorithms. */
const isNormal = (checksum: Checksum): boolean => {
  const { algorithm, value, basis } = checksum
  const known = basis === 'unusable' ? undefined : baseAlgorithm(algorithm)
  return known ? isDigest(known, value) : hasPlainName(checksum)
}

/**
 * A checksum of record. For a known algorithm it must be well formed, and is kept in normal form, unless it is marked
 * unusable.
 */
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
          const known = baseAlgorithm(algorithm)
          if (!known || raw.basis === 'unusable')
            return t.success<Checksum>({ algorithm, value: raw.value, ...basis })
          const bytes = digestBytes[known]
          return t.failure(u, context, `is no ${algorithm} digest (${bytes} bytes as hex or base64)`)
        }),
      ),
    t.identity,
  ),
  { description: 'A digest as hex or base64; kept as lower-case hex.' },
  RawChecksum,
)

/** A storage's claim. It may be any text; a value that cannot be compared is kept as it came. */
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
