import * as E from 'fp-ts/lib/Either.js'
import { livePosition } from '../../async/caught-up.ts'
import { viewCheckpoint } from '../../async/checkpoint.ts'
import { positionIn } from '../../domain/kernel/leader-lease.ts'
import type { CheckpointStore } from '../../ports/checkpoint-store.ts'
import type { Generation, ViewStore } from '../../ports/view-store.ts'
import type { OwnCheckpoint } from './leader-subscription.ts'
import type { Term } from './leader-term.ts'

const version = 1

interface LeaderCheckpoint {
  readonly viewStore: ViewStore
  readonly term: Pick<Term, 'positions'>
}

/** The further one of this home's checkpoint, and of the leader lease's when the term began. */
export const leaderPosition = (name: string, { viewStore, term }: LeaderCheckpoint): bigint =>
  furthest(livePosition(viewStore, name), positionIn(term.positions, name))

/**
 * The checkpoint of a leader's subscription. It is kept as a projection without views, so that other processes of this home
 * see it at once; with the leader lease it comes to other machines.
 */
export const leaderCheckpoint = (name: string, deps: LeaderCheckpoint): CheckpointStore => {
  const { viewStore } = deps
  let generation: Generation
  return {
    load: async () => {
      generation = liveGeneration(name, viewStore)
      return { ...viewStore.checkpoint(generation), position: leaderPosition(name, deps) }
    },
    store: (_, batch) => {
      const held = viewStore.checkpoint(generation)
      if (batch.position > held.position) return viewCheckpoint(viewStore, generation).store(held, batch)
      return batch.position === held.position
        ? E.right(held)
        : E.left({ kind: 'CheckpointMoved', actual: held.position })
    },
  }
}

/** Of work that knows from what it wrote how far it has come: `shown` is only for others to see. */
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

/** Each subscription asks anew: a second process may have created and promoted another. */
const liveGeneration = (name: string, viewStore: ViewStore): Generation => {
  const live = viewStore.live(name)
  if (live) return live
  const made = viewStore.create(name, version, [])
  viewStore.promote(made)
  return viewStore.live(name) ?? made
}

const furthest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const nearest = (one: bigint, other: bigint): bigint => (one < other ? one : other)
