import * as E from 'fp-ts/lib/Either.js'
import { livePosition } from '../../async/caught-up.ts'
import { checkpointBehind } from '../../async/checkpoint.ts'
import type { PassedCheckpoints } from '../../async/passed-checkpoints.ts'
import { LockedError } from '../../async/unavailable.ts'
import { positionIn } from '../../domain/kernel/leader-lease.ts'
import type { Checkpoint, CheckpointMoved, CheckpointStore } from '../../ports/checkpoint-store.ts'
import type { EventBatch } from '../../ports/event-store.ts'
import type { Generation, ViewStore } from '../../ports/view-store.ts'

import type { Term } from './leader-term.ts'

export interface OwnCheckpoint {
  /**
   * Returns the position behind which the log is followed. Called before each subscription. `signal` aborts when the
   * answer is no longer wanted.
   */
  load(signal: AbortSignal): Promise<bigint>
  /** Everything up to here is done for good: events handled after it may still wait to be written with later ones. */
  reached(): bigint
  /** Called when nothing more will come, until it begins again. */
  end(): Promise<void>
}

const version = 1

type Done = Pick<EventBatch, 'events' | 'position'>

interface LeaderCheckpoint {
  readonly viewStore: ViewStore
  readonly term: Pick<Term, 'positions'>
}

/** Returns the further of this home's checkpoint, and the leader lease's when the term began. */
export const leaderPosition = (name: string, { viewStore, term }: LeaderCheckpoint): bigint =>
  furtherPosition(name, livePosition(viewStore, name), term)

/** The same, with this home's checkpoint given. */
export const furtherPosition = (
  name: string,
  here: bigint,
  { positions }: LeaderCheckpoint['term'],
): bigint => furthest(here, positionIn(positions, name))

interface LeaderCheckpointStore extends CheckpointStore {
  /** As `leaderPosition`, including passes since then that the views' file does not have yet. */
  position(): bigint
}

/**
 * The checkpoint of a leader's subscription. It is stored as a projection without views, so that other processes of
 * this home see it at once; the leader lease carries it to other machines.
 */
export const leaderCheckpoint = (
  name: string,
  deps: LeaderCheckpoint & { readonly passed: PassedCheckpoints },
): LeaderCheckpointStore => {
  const { viewStore, passed } = deps
  let generation: Generation
  /** Not stored yet. */
  let passing: Checkpoint | undefined
  /** As it was stored last: nobody else moves it while the term lasts. */
  let held: Checkpoint
  /** Another process has moved it: the next call to store reads where to. */
  let isMoved = false
  const pass = (batch: Done): Checkpoint => {
    const from = held
    const to = checkpointBehind(passing ?? from, batch)
    passed.put({ generation, from: from.position, to }, (stored) => {
      passing = undefined
      if (held !== from) return
      if (stored) held = to
      else isMoved = true
    })
    passing = to
    return to
  }
  /**
   * If another process is writing the views, the checkpoint is stored once that has ended, and work goes on meanwhile:
   * after a kill some of it is done again, which has no effect.
   */
  const storeBehind = (batch: Done): E.Either<CheckpointMoved, Checkpoint> => {
    if (batch.position === held.position) return E.right(held)
    const to = checkpointBehind(held, batch)
    try {
      const isStored =
        to.position > held.position && viewStore.pass([{ generation, from: held.position, to }])[0]
      if (!isStored) return E.left({ kind: 'CheckpointMoved', actual: held.position })
      held = to
      return E.right(to)
    } catch (error) {
      if (error instanceof LockedError) return E.right(pass(batch))
      throw error
    }
  }
  return {
    load: async () => {
      generation = liveGeneration(name, viewStore)
      held = viewStore.checkpoint(generation)
      passing = undefined
      return { ...held, position: leaderPosition(name, deps) }
    },
    position: () => furthest(leaderPosition(name, deps), passing?.position ?? -1n),
    store: (_, batch) => {
      const isOfOthers = batch.events.length === 0 && batch.position > held.position
      if (isOfOthers && !isMoved) return E.right(pass(batch))
      isMoved = false
      passing = undefined
      passed.drop(generation)
      const stored = storeBehind(batch)
      if (E.isRight(stored)) return stored
      held = viewStore.checkpoint(generation)
      return storeBehind(batch)
    },
  }
}

/** For work that knows its progress from its own writes: `shown` only shows it to others. */
export const ownCheckpoint = (own: OwnCheckpoint, shown: CheckpointStore): CheckpointStore => ({
  load: async (signal) => {
    await shown.load(signal)
    return { position: await own.load(signal), time: null }
  },
  store: (from, { events, position }) => {
    const reached = nearest(position, own.reached())
    shown.store(from, { events: events.filter((event) => event.position <= reached), position: reached })
    return E.right({ ...from, position })
  },
})

/** Each subscription reads it again: a second process may have created and promoted another. */
const liveGeneration = (name: string, viewStore: ViewStore): Generation => {
  const live = viewStore.live(name)
  if (live) return live
  const made = viewStore.create(name, version, [])
  viewStore.promote(made)
  return viewStore.live(name) ?? made
}

const furthest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const nearest = (one: bigint, other: bigint): bigint => (one < other ? one : other)
