import { isLeft } from 'fp-ts/lib/Either.js'
import { deskDecider, policyOf } from '../../domain/research/desk/decide.ts'
import type { Policy } from '../../domain/research/desk/policy.ts'
import { deskStream } from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** The settings in force. Throws `Away` when the log is. */
export type PolicyLookup = () => Promise<Policy>

export const policyLookup =
  (states: StreamStates): PolicyLookup =>
  async () => {
    const loaded = await states.load(deskDecider, deskStream)
    if (!isLeft(loaded)) return policyOf(loaded.right.state).policy
    if (loaded.left.kind === 'Unavailable') throw new Away(loaded.left.reason)
    // Deleted for good: what Fonds comes with.
    return policyOf(deskDecider.initial).policy
  }
