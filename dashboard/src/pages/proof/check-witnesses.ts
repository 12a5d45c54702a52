import { isQuorum, isSignedBy, type Note, parsePolicy, parseVerifierKey } from '@fonds/tlog/web'
import type { Step } from './step.ts'

/** Whose cosignatures of a head are good, and whose are wrong, by their names in a policy. */
export interface Cosigned {
  readonly seen: readonly string[]
  readonly wrong: readonly string[]
  /** Witnesses that the policy names and browsers can check. */
  readonly asked: number
  /** Those that saw it are enough for the policy. */
  readonly isEnough: boolean
}

/** Checks cosignatures by Ed25519. Rejects with `InvalidNote` for a policy, or a key in it, that is none. */
export const checkWitnesses = async (policyText: string, note: Note): Promise<Cosigned> => {
  const policy = parsePolicy(policyText)
  const [seen, wrong]: [string[], string[]] = [[], []]
  let asked = 0
  for (const [name, { key }] of policy.witnesses) {
    const witness = await parseVerifierKey(key)
    if (witness.type !== 'ed25519-cosignature') continue
    asked++
    const isGood = await isSignedBy(witness, note)
    if (isGood !== undefined) (isGood ? seen : wrong).push(name)
  }
  return { seen, wrong, asked, isEnough: isQuorum(policy, new Set(seen)) }
}

export const witnessStep = ({ seen, wrong, asked, isEnough }: Cosigned): Step => ({
  name: `${seen.length} of ${asked} witnesses saw the same root`,
  isPassed: wrong.length === 0,
  computed: wrong.length > 0 ? `a wrong signature of ${wrong.join(', ')}` : seen.join(', '),
  kept: isEnough ? 'enough for the policy' : 'the policy wants more',
  from: 'a policy that this server gave',
})
