export { createDigests, type Digests } from './compute/digests.ts'
