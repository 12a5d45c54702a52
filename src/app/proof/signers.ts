import type { Signer, Verifier } from '@fonds/tlog'
import { cosigner, noteSigner } from '@fonds/tlog/compute'
import type { ProofKeys } from '../../ports/proof-log.ts'

/**
 * Signers of a tree's heads, the one of Ed25519 first. That of ML-DSA-44 adds the time. `now`: epoch milliseconds.
 */
export const signersOf = (
  origin: string,
  { ed25519, mlDsa44 }: ProofKeys,
  now: () => number,
): readonly Signer[] => [
  noteSigner(origin, ed25519),
  ...(mlDsa44 ? [cosigner(origin, mlDsa44, () => Math.floor(now() / 1000))] : []),
]

/** The public keys of a tree's heads. */
export const verifiersOf = (origin: string, keys: ProofKeys): readonly Verifier[] =>
  signersOf(origin, keys, () => 0).map(({ verifier }) => verifier)
