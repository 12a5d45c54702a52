export { createDigests, type Digests } from './compute/digests.ts'
export type { Hasher } from './compute/hasher.ts'
export { createOtherHashers, nodeHasher, nodeHashOf } from './compute/hashers.ts'
