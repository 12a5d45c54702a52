import { type Algorithm, algorithmOfLength, algorithms, digestBytes } from './algorithms.ts'

/* Names of algorithms as Merritt's checkm and OCFL have them: `sha256`, `sha512/256`. */

type Joined<Name extends string> = Name extends `sha-${infer Rest}` ? `sha${Rest}` : Name
export type DigestAlgorithm = Joined<Algorithm>

const joined = (algorithm: Algorithm): DigestAlgorithm => algorithm.replace(/^sha-/, 'sha') as DigestAlgorithm

/** Hex digits of each algorithm. */
export const digestDigits = Object.fromEntries(
  algorithms.map((algorithm) => [joined(algorithm), 2 * digestBytes[algorithm]]),
) as Readonly<Record<DigestAlgorithm, number>>

const byJoinedName = Object.fromEntries(
  algorithms.map((algorithm) => [joined(algorithm), algorithm]),
) as Readonly<Record<DigestAlgorithm, Algorithm>>

export const algorithmOf = (name: DigestAlgorithm): Algorithm => byJoinedName[name]

/**
 * `SHA-256` → sha256; undefined for unknown algorithms. A name without a length, such as `blake2b`, is that of the
 * digest's `digits`.
 */
export const digestAlgorithm = (name: string, digits = 0): DigestAlgorithm | undefined => {
  const algorithm = algorithmOfLength(name, digits / 2)
  return algorithm && joined(algorithm)
}
