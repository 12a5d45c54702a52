/* Names of algorithms, and the forms that people and storages write digests in. Nothing is computed here. */

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
