import { aborted } from '../async/aborted.ts'
import { passedCheckpoints } from '../async/passed-checkpoints.ts'
import { type Checkpoints, reactionsLease } from '../domain/kernel/leader-lease.ts'
import { type RunningLeader, runLeader } from '../processors/runtime/leader.ts'
import { runSubscription } from '../processors/runtime/leader-subscription.ts'
import type { LeaderWork, Term } from '../processors/runtime/leader-term.ts'
import { runReaction } from '../processors/runtime/reaction.ts'
import { runRelay } from '../processors/runtime/relay.ts'
import type { RelayTopic } from '../processors/runtime/relayed-event.ts'
import { type Overdue, runTicker } from '../processors/runtime/ticker.ts'
import { checkpointOf, relayCheckpoint } from './checkpoint-names.ts'
import { eventTopicsOf } from './event-topics.ts'
import { leaderName } from './node-names.ts'
import { runNotices } from './notices/run-notices.ts'
import { relayLease, relaySource } from './relay-source.ts'
import type { System } from './system.ts'

/* Exclusive work: of all processes that have the role, one at a time does it. */

/** All reactions and subscriptions, the ticker that writes down what has passed, notices, and the duties of workflows. */
export const startReactions = (system: System): RunningLeader => {
  const reactions = system.workflows.flatMap((workflow) => workflow.reactions(system))
  const subscriptions = system.workflows.flatMap((workflow) => workflow.subscriptions(system))
  const overdue = system.workflows.flatMap((workflow) => workflow.overdue(system))
  const duties = system.workflows.flatMap((workflow) => workflow.duties?.(system) ?? [])
  return start(system, {
    name: reactionsLease,
    checkpoints: () => checkpointsIn(system, [...reactions, ...subscriptions].map(checkpointOf)),
    work: (term) => {
      const deps = { ...system, term, passed: passedCheckpoints(system, term.signal) }
      return untilAborted(term, [
        ...reactions.map((reaction) => runReaction(reaction, deps)),
        ...subscriptions.map((one) => runSubscription(one, deps)),
        runTicker(overdue.map(within(term)), system),
        runNotices(system, term),
        ...duties.map((duty) => duty(term)),
      ])
    },
  })
}

/** Copies events to the event topics. A log that does not say its name yet ends the term: it is asked again in the next. */
export const startRelay = (system: System): RunningLeader => {
  const checkpoint = relayCheckpoint(system)
  return start(system, {
    name: relayLease,
    checkpoints: () => checkpointsIn(system, [checkpoint]),
    work: async (term) => {
      const topics = relayTopics(system, await relaySource(system.eventStore))
      await untilAborted(term, [runRelay(topics, checkpoint, { ...system, term })])
    },
  })
}

const relayTopics = ({ workflows }: System, log: string): readonly RelayTopic[] =>
  eventTopicsOf(workflows).map(({ name, workflow, categories }) => ({
    name,
    source: `fonds://${encodeURIComponent(log)}/${workflow}`,
    categories,
  }))

const start = (system: System, work: LeaderWork): RunningLeader =>
  runLeader(work, {
    ...system,
    holder: leaderName(),
    seconds: system.config.dutySeconds,
  })

/** The checkpoints of these names in the views of this process. Throws `UnavailableError`. */
export const checkpointsIn = ({ viewStore }: System, names: readonly string[]): Checkpoints => {
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
