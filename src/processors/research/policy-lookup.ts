import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { policyDecider, policyOf } from '../../domain/research/policy/decide.ts'
import type { Policy } from '../../domain/research/policy/policy.ts'
import { policyStream } from '../../domain/research/terms.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** The settings in force. Throws `UnavailableError`. */
export type PolicyLookup = () => Promise<Policy>

export const policyLookup =
  (states: StreamStates): PolicyLookup =>
  async () => {
    const load = () => states.load(policyDecider, policyStream)
    const known = await pipe(load, ifDeleted({ state: policyDecider.initial }), orThrow)
    return policyOf(known.state).policy
  }
