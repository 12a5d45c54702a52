/* Names of algorithms, and the forms in which people and storages write digests. Computes nothing. */

export {
  type Algorithm,
  algorithmName,
  algorithms,
  digestBytes,
  isAlgorithm,
  isAlgorithmName,
} from './algorithms.ts'
export {
  type Digest,
  digestFromBase64,
  digestToBase64,
  isDigest,
  normaliseDigest,
  type RawDigest,
} from './digest.ts'
export { type DigestAlgorithm, digestAlgorithm, digestDigits } from './digest-names.ts'
export { type AnyAlgorithm, baseAlgorithm, type PartsAlgorithm, partsAlgorithm, partsOf } from './parts.ts'
