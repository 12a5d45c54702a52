import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { policyDecider, policyOf } from '../../domain/research/policy/decide.ts'
import type { Policy } from '../../domain/research/policy/policy.ts'
import type { PolicyState } from '../../domain/research/policy/state.ts'
import { policyStream } from '../../domain/research/terms.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** The settings in force. Throws `UnavailableError`. */
export type PolicyLookup = () => Promise<Policy>

export const policyLookup =
  (states: StreamStates): PolicyLookup =>
  async () =>
    policyOf(await policyState(states)).policy

/** All that people decided. Throws `UnavailableError`. */
export const policyState = async (states: Pick<StreamStates, 'load'>): Promise<PolicyState> => {
  const load = () => states.load(policyDecider, policyStream)
  return (await pipe(load, ifDeleted({ state: policyDecider.initial }), orThrow)).state
}
