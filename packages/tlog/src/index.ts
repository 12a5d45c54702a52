/* Transparency logs as C2SP has them: forms of files, notes and proofs. Computes no hash, checks no signature. */

export { type AddCheckpoint, addCheckpointText, parseAddCheckpoint } from './add-checkpoint.ts'
export { fromBase64, toBase64 } from './base64.ts'
export { type Checkpoint, checkpointText, parseCheckpoint, parseCount, parseHash } from './checkpoint.ts'
export { entriesIn, entryBundle, type GrowingBundle, growingBundle, maxEntryBytes } from './entries.ts'
export { InvalidNote, UntrustedNote } from './errors.ts'
export { emptyRoot, hashBytes, isSameHash } from './hash.ts'
export {
  isKeyName,
  type Note,
  noteText,
  openNote,
  parseNote,
  parseSignatures,
  type Signature,
  type SignatureType,
  type Signer,
  signatureLine,
  signedNote,
  type Verified,
  type Verifier,
  verifiedSignatures,
  withSignatures,
} from './note.ts'
export { type Group, isQuorum, type Policy, parsePolicy, type TrustedKey } from './policy.ts'
export { type ProofFile, parseProofFile, proofFileText } from './proof-file.ts'
export {
  type Bundle,
  bundleAt,
  parseTilePath,
  partialTiles,
  type Tile,
  tileOf,
  tilePath,
  tilesOf,
  tileWidth,
} from './tiles.ts'
export {
  consistencyNodes,
  consistencyPath,
  inclusionNodes,
  inclusionPath,
  type PathStep,
  type Range,
  type SharedPath,
  type Subtree,
  subtreesOf,
} from './tree.ts'
