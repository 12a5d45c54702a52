import type { Policy, Verifier } from '@fonds/tlog'
import { parseVerifierKey } from '@fonds/tlog/compute'

export interface Witness {
  /** As the policy names it; the first of its names. */
  readonly name: string
  /** Address before `/add-checkpoint`. */
  readonly url: string
  readonly verifiers: readonly Verifier[]
}

/** Those that a policy gives an address of. One witness signs with several keys, each a line of the policy with the same address. */
export const witnessesOf = (policy: Policy | undefined): readonly Witness[] => {
  const found = new Map<string, Witness>()
  for (const [name, { key, url }] of policy?.witnesses ?? []) {
    if (url === undefined) continue
    const verifiers = [...(found.get(url)?.verifiers ?? []), parseVerifierKey(key)]
    found.set(url, { name: found.get(url)?.name ?? name, url, verifiers })
  }
  return [...found.values()]
}
