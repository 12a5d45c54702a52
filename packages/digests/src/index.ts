/* Names of algorithms, and the forms in which people and storages write digests. Computes nothing. */

export {
  type Algorithm,
  algorithmName,
  algorithms,
  digestBytes,
  isAlgorithm,
  isAlgorithmName,
} from './algorithms.ts'
export { type Digest, isDigest, normaliseDigest, type RawDigest } from './digest.ts'
export { type DigestAlgorithm, digestAlgorithm, digestDigits } from './digest-names.ts'
