import { hostname } from 'node:os'
import { v4 as uuid } from 'uuid'
import type { Reached } from '../domain/kernel/duty.ts'
import { aborted } from '../ports/aborted.ts'
import { Away } from '../ports/away.ts'
import { type Duty, type Mandate, type RunningDuty, runDuty } from '../processors/runtime/duty.ts'
import { type Follower, follow } from '../processors/runtime/follow.ts'
import { runReaction } from '../processors/runtime/reaction.ts'
import { runRelay } from '../processors/runtime/relay.ts'
import { type Overdue, runTicker } from '../processors/runtime/ticker.ts'
import { orAway } from '../projections/runtime/fold.ts'
import { eventTopicsOf } from './event-topics.ts'
import type { System } from './system.ts'

/* What one process at a time does, of all that have the role. */

export const reactionsDuty = 'reactions'

/** By what its position is kept. A reaction keeps it by its name. */
export const checkpointOf = ({ name, checkpoint = name }: Pick<Follower, 'name' | 'checkpoint'>): string =>
  checkpoint

/** All reactions and followers, and the ticker that writes down what has passed. */
export const startReactions = (system: System): RunningDuty => {
  const reactions = system.workflows.flatMap((workflow) => workflow.reactions(system))
  const followers = system.workflows.flatMap((workflow) => workflow.followers(system))
  const overdue = system.workflows.flatMap((workflow) => workflow.overdue(system))
  return start(system, {
    name: reactionsDuty,
    reached: () => reachedBy(system, [...reactions, ...followers].map(checkpointOf)),
    work: (mandate) =>
      untilAborted(mandate, [
        ...reactions.map((reaction) => runReaction(reaction, { ...system, mandate })),
        ...followers.map((follower) => follow(follower, { ...system, mandate })),
        runTicker(overdue.map(within(mandate)), system),
      ]),
  })
}

export const relayDuty = 'relay'

/**
 * A broker that was put in another's place has none of the events: they are relayed to it from the first one on. Throws
 * `Away` while a broker that is reached over a network has not answered yet: its name is not known before.
 */
export const relayCheckpoint = ({ broker }: Pick<System, 'broker'>): string => {
  try {
    return `relay/${broker.id}`
  } catch (error) {
    throw new Away((error as Error).message, { cause: error })
  }
}

/** Copies events to the event topics. Throws `Away`. */
export const startRelay = async (system: System): Promise<RunningDuty> => {
  const log = await orAway(system.eventStore.identity())
  const topics = eventTopicsOf(system.workflows).map(({ name, workflow, categories }) => ({
    name,
    source: `fonds://${encodeURIComponent(log)}/${workflow}`,
    categories,
  }))
  const checkpoint = relayCheckpoint(system)
  return start(system, {
    name: relayDuty,
    reached: () => reachedBy(system, [checkpoint]),
    work: (mandate) => untilAborted(mandate, [runRelay(topics, checkpoint, { ...system, mandate })]),
  })
}

const start = (system: System, duty: Duty): RunningDuty =>
  runDuty(duty, {
    ...system,
    holder: `${hostname()}/${process.pid}/${uuid()}`,
    seconds: system.config.dutySeconds,
  })

/** How far each has come here. Throws `Away`. */
const reachedBy = ({ viewStore }: System, names: readonly string[]): Reached => {
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

const untilAborted = async (
  { signal }: Mandate,
  parts: readonly { stop(): Promise<void> }[],
): Promise<void> => {
  await aborted(signal)
  await Promise.all(parts.map((part) => part.stop()))
}

/** The ticker keeps ticking for a moment after the duty was lost: it then finds nothing. */
const within =
  (mandate: Mandate) =>
  ({ name, passed }: Overdue): Overdue => ({
    name,
    passed: async (now) => (mandate.valid() ? passed(now) : []),
  })
