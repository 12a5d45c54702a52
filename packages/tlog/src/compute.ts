/* Hashes and signatures of transparency logs, by Node's own cryptography. */

export { emptyTree, type FullTile, type GrowingTree, growingTree } from './compute/growing-tree.ts'
export { leafHash, nodeHash, sha256 } from './compute/hashes.ts'
export { cosigner, noteSigner, parseVerifierKey, rawPublicKey, verifierOf } from './compute/keys.ts'
export { nodeHashes, type ReadTile } from './compute/node-hashes.ts'
export { isConsistent, isIncluded } from './compute/proofs.ts'
export { edgeNodes, type TreeEdge, treeEdge } from './compute/right-edge.ts'
export { cosigned, type Judgement, judgeCheckpoint, type KeysOf, withAnswer } from './compute/witness.ts'
export { cosignedAt } from './signed-message.ts'
export { verifierKey } from './verifier-key.ts'
