import { isDeepStrictEqual } from 'node:util'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { placeOf } from '../../domain/kernel/event-place.ts'
import { type Checkpoints, furthest, reactionsLease } from '../../domain/kernel/leader-lease.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { executor } from '../../processors/runtime/execute.ts'
import { leaderLeaseOf } from '../../processors/runtime/leader-lease-of.ts'
import { createLeaderStream } from '../../processors/runtime/leader-stream.ts'
import { streamStates } from '../../processors/runtime/stream-states.ts'
import { setTreeMark, treeMark } from '../../processors/runtime/tree-mark.ts'
import { relayCheckpoint, subscribersOf } from '../checkpoint-names.ts'
import { checkpointsIn } from '../leaders.ts'
import { relayLease, relaySource, setRelaySource } from '../relay-source.ts'
import type { System } from '../system.ts'
import type { Counterpart } from './counterpart.ts'

/** Result for the positions of followers of the log: reactions, subscriptions, the relay. */
export interface PlacesTakenAlong {
  /** They continue at the target from their position. */
  readonly moved: readonly string[]
  /** Leader leases that are held at the target: their positions were left unchanged. */
  readonly inUse: readonly string[]
}

const holder = 'fonds migrate'
const millis = 5 * SECOND

/**
 * Copies the positions of followers from the source to its whole copy, so that they repeat nothing, with the name under
 * which its events were relayed and the origin of its Merkle tree. May be repeated: positions never go back. Throws `UnavailableError`.
 */
export const takePlacesAlong = async (
  system: System,
  target: EventStore,
  counterpart: Counterpart,
): Promise<PlacesTakenAlong> => {
  const moved: string[] = []
  const inUse: string[] = []
  for (const [lease, names] of [
    [reactionsLease, subscribersOf(system)],
    [relayLease, relayNames(system)],
  ] as const) {
    const places = await translated(await reachedHere(system, lease, names), counterpart)
    if (Object.keys(places.positions).length === 0) continue
    if (await writePlaces(system, target, lease, places)) moved.push(...Object.keys(places.positions))
    else inUse.push(lease)
  }
  await setRelaySource(target, await relaySource(system.eventStore))
  const origin = await treeMark(system.eventStore)
  if (origin !== undefined) await setTreeMark(target, origin)
  return { moved: moved.sort(), inUse }
}

/** Empty if the broker's name is unavailable: the lease's positions are known nonetheless. */
const relayNames = (system: System): readonly string[] => {
  try {
    return [relayCheckpoint(system)]
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}

/** Returns the further of the positions in the lease and in the views of this home, if these are of this log. */
const reachedHere = async (system: System, lease: string, names: readonly string[]): Promise<Checkpoints> => {
  const leased = await leaderLeaseOf(system, lease)
  const isOfThisLog = system.viewStore.foldedLog()?.id === (await orThrow(system.eventStore.identity()))
  return isOfThisLog ? furthest(leased, checkpointsIn(system, names)) : leased
}

/** Leaves out followers that have not begun. */
const translated = async ({ positions }: Checkpoints, counterpart: Counterpart): Promise<Checkpoints> => {
  const events = new Map<string, RecordedEvent | undefined>()
  for (const position of new Set(Object.values(positions)))
    events.set(position, await counterpart(BigInt(position)))
  const known = Object.entries(positions).flatMap(([name, position]) => {
    const event = events.get(position)
    return event ? [[name, placeOf(event)] as const] : []
  })
  return {
    positions: Object.fromEntries(known.map(([name, { position }]) => [name, position])),
    events: Object.fromEntries(known),
  }
}

/** Writes positions through the lease itself. Returns false if it is held. */
const writePlaces = async (
  { clock, log }: System,
  target: EventStore,
  lease: string,
  places: Checkpoints,
): Promise<boolean> => {
  const there = await leaderLeaseOf({ eventStore: target }, lease)
  const reached = furthest({ positions: there.positions, events: there.events ?? {} }, places)
  const isWritten = isDeepStrictEqual(reached.positions, there.positions) && there.lease === undefined
  if (isWritten) return true
  const states = streamStates(target)
  const stream = createLeaderStream(lease, { execute: executor(target, states), states, log })
  const at = clock.now()
  const deadline = new Date(Date.parse(at) + millis).toISOString()
  const by = { at, actor: holder }
  const taken = await stream.execute({ ...by, type: 'Take', holder, deadline, millis, reached })
  if (!taken) return false
  const left = await stream.execute({ ...by, type: 'Leave', fence: taken.fence, ...reached })
  return left !== undefined
}
