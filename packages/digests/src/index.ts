/* Names of algorithms, and the forms in which people and storages write digests. Computes nothing. */

export {
  type Algorithm,
  algorithmName,
  algorithms,
  type Digest,
  digestBytes,
  isAlgorithm,
  isDigest,
  normaliseDigest,
  type RawDigest,
} from './digest.ts'
export { type DigestAlgorithm, digestAlgorithm, digestDigits } from './digest-names.ts'
