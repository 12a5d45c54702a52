import type { Signer, Verifier } from '@fonds/tlog'
import { cosigner, noteSigner } from '@fonds/tlog/compute'
import type { ProofKeys } from '../../ports/proof-log.ts'

/**
 * Signers of a tree's heads, the one of Ed25519 first. That of ML-DSA-44 adds the time. `now`: epoch milliseconds. `beside`: keys
 * before these, or behind them, which sign the same heads for some time.
 */
export const signersOf = (
  origin: string,
  keys: ProofKeys,
  now: () => number,
  beside: readonly ProofKeys[] = [],
): readonly Signer[] => {
  const signers = [keys, ...beside].flatMap(({ ed25519, mlDsa44 }) => [
    noteSigner(origin, ed25519),
    ...(mlDsa44 ? [cosigner(origin, mlDsa44, () => Math.floor(now() / 1000))] : []),
  ])
  return signers.filter(
    ({ verifier }, i) => signers.findIndex((one) => one.verifier.keyId === verifier.keyId) === i,
  )
}

/** The public keys of a tree's heads. */
export const verifiersOf = (origin: string, keys: ProofKeys): readonly Verifier[] =>
  signersOf(origin, keys, () => 0).map(({ verifier }) => verifier)
