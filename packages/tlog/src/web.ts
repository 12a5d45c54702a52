/* The checks of proofs by WebCrypto, for browsers, and the forms that they read. Nothing here is Node's. */

export { fromBase64, toBase64 } from './base64.ts'
export { type Checkpoint, parseCheckpoint, parseHash } from './checkpoint.ts'
export { InvalidNote } from './errors.ts'
export { isSameHash } from './hash.ts'
export { type Note, parseNote } from './note.ts'
export { isQuorum, parsePolicy } from './policy.ts'
export { type ProofFile, parseProofFile } from './proof-file.ts'
export { inclusionPath, type PathStep } from './tree.ts'
export type { PublicKey } from './verifier-key.ts'
export { isConsistent } from './web/consistency.ts'
export { climb, leafHash, sha256 } from './web/hashes.ts'
export { isSignedBy, parseVerifierKey } from './web/keys.ts'
