import { UnavailableError } from '../async/unavailable.ts'
import type { Subscription } from '../processors/runtime/leader-subscription.ts'
import type { System } from './system.ts'

/** The name of its checkpoint: that of a reaction is its own. */
export const checkpointOf = ({
  name,
  checkpoint = name,
}: Pick<Subscription, 'name' | 'checkpoint'>): string => checkpoint

/** The checkpoints of all reactions and subscriptions. */
export const subscribersOf = (system: System): readonly string[] =>
  system.workflows
    .flatMap((workflow) => [...workflow.reactions(system), ...workflow.subscriptions(system)])
    .map(checkpointOf)

/**
 * The relay has a checkpoint for each broker: to a new broker it copies all events, from the first one on. Throws
 * `UnavailableError` while a broker on a network has not answered yet: its id is not known before.
 */
export const relayCheckpoint = ({ broker }: Pick<System, 'broker'>): string => {
  try {
    return `relay/${broker.id}`
  } catch (error) {
    throw new UnavailableError((error as Error).message, { cause: error })
  }
}
