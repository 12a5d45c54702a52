import type { Verifier } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'

/** A trust policy that believes these keys of one log, and wants no witness. */
export const policyOf = (verifiers: readonly Verifier[]): string =>
  `${verifiers.map((verifier) => `log ${verifierKey(verifier)}\n`).join('')}quorum none\n`
