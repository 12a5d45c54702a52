export { createDigests, type Digests } from './compute/digests.ts'
export { createOtherHashers, type Hasher, nodeHasher, nodeHashes } from './compute/hashers.ts'
