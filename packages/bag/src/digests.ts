export { createDigests, type Digests } from './digests/digests.ts'
