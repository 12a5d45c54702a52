import { hostname } from 'node:os'
import { v4 as uuid } from 'uuid'
import { aborted } from '../async/aborted.ts'
import { passedCheckpoints } from '../async/passed-checkpoints.ts'
import { orThrow, UnavailableError } from '../async/unavailable.ts'
import { type Checkpoints, reactionsLease } from '../domain/kernel/leader-lease.ts'
import { type RunningLeader, runLeader } from '../processors/runtime/leader.ts'
import { runSubscription, type Subscription } from '../processors/runtime/leader-subscription.ts'
import type { LeaderWork, Term } from '../processors/runtime/leader-term.ts'
import { runReaction } from '../processors/runtime/reaction.ts'
import { runRelay } from '../processors/runtime/relay.ts'
import { type Overdue, runTicker } from '../processors/runtime/ticker.ts'
import { eventTopicsOf } from './event-topics.ts'
import type { System } from './system.ts'

/* Exclusive work: of all processes that have the role, one at a time does it. */

/** The name of its checkpoint: that of a reaction is its own. */
export const checkpointOf = ({
  name,
  checkpoint = name,
}: Pick<Subscription, 'name' | 'checkpoint'>): string => checkpoint

/** All reactions and subscriptions, and the ticker that writes down what has passed. */
export const startReactions = (system: System): RunningLeader => {
  const reactions = system.workflows.flatMap((workflow) => workflow.reactions(system))
  const subscriptions = system.workflows.flatMap((workflow) => workflow.subscriptions(system))
  const overdue = system.workflows.flatMap((workflow) => workflow.overdue(system))
  return start(system, {
    name: reactionsLease,
    checkpoints: () => checkpointsIn(system, [...reactions, ...subscriptions].map(checkpointOf)),
    work: (term) => {
      const deps = { ...system, term, passed: passedCheckpoints(system, term.signal) }
      return untilAborted(term, [
        ...reactions.map((reaction) => runReaction(reaction, deps)),
        ...subscriptions.map((one) => runSubscription(one, deps)),
        runTicker(overdue.map(within(term)), system),
      ])
    },
  })
}

export const relayLease = 'relay'

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

/** Copies events to the event topics. Throws `UnavailableError`. */
export const startRelay = async (system: System): Promise<RunningLeader> => {
  const log = await orThrow(system.eventStore.identity())
  const topics = eventTopicsOf(system.workflows).map(({ name, workflow, categories }) => ({
    name,
    source: `fonds://${encodeURIComponent(log)}/${workflow}`,
    categories,
  }))
  const checkpoint = relayCheckpoint(system)
  return start(system, {
    name: relayLease,
    checkpoints: () => checkpointsIn(system, [checkpoint]),
    work: (term) => untilAborted(term, [runRelay(topics, checkpoint, { ...system, term })]),
  })
}

const start = (system: System, work: LeaderWork): RunningLeader =>
  runLeader(work, {
    ...system,
    holder: `${hostname()}/${process.pid}/${uuid()}`,
    seconds: system.config.dutySeconds,
  })

/** The checkpoints of these names in the views of this process. Throws `UnavailableError`. */
const checkpointsIn = ({ viewStore }: System, names: readonly string[]): Checkpoints => {
  const checkpoints = names.map((name) => {
    const live = viewStore.live(name)
    return [name, live && viewStore.checkpoint(live)] as const
  })
  return {
    positions: Object.fromEntries(checkpoints.map(([name, at]) => [name, `${at?.position ?? -1n}`])),
    events: Object.fromEntries(
      checkpoints.flatMap(([name, at]) => (at?.event === undefined ? [] : [[name, at.event]])),
    ),
  }
}

const untilAborted = async ({ signal }: Term, parts: readonly { stop(): Promise<void> }[]): Promise<void> => {
  await aborted(signal)
  await Promise.all(parts.map((part) => part.stop()))
}

/** The ticker runs on for a moment after the term has ended: it then finds nothing. */
const within =
  (term: Term) =>
  ({ name, passed }: Overdue): Overdue => ({
    name,
    passed: async (now) => (term.isLeader() ? passed(now) : []),
  })
