import { decider } from '../../domain/fixity/decide.ts'
import { events } from '../../domain/fixity/events.ts'
import { category, itemOf, itemStream } from '../../domain/fixity/item.ts'
import { category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { addMillis, DAY, earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Condition, Row, ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Plan } from '../runtime/processor.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

const pageSize = 500

interface Reading {
  readonly viewStore: ViewStore
  readonly clock: Clock
}

/** Somebody wants a store, or what is below a prefix, checked: each item gets its request. */
export const spreadStoreChecks = ({ viewStore, clock }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-store-checks',
  filter: { categories: [storeCategory], types: ['StoreCheckRequested'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(storeEvents, event)
    if (type !== 'StoreCheckRequested') return
    const { prefix, queue, reason } = data
    await viewsReach(event.position, signal)
    const within: Condition[] = [
      { column: 'store', is: '=', value: idOf(event.stream) },
      { column: 'removed', is: '=', value: 0 },
      ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
    ]
    for (let after = ''; ; ) {
      const rows = viewStore.query('fixity-items', {
        where: after ? [...within, { column: 'path', is: '>', value: after }] : within,
        orderBy: [{ column: 'path' }],
        limit: pageSize,
      })
      // What was seen since is done: a request heard again, be it years later, asks for nothing.
      const wanted = rows.filter((row) => !isSeenSince(row, event.recordedAt))
      yield wanted.map((row) => requestCheck(row, event, clock, queue, reason))
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return
      after = last.path as string
    }
  },
})

/** Damage comes in clusters: after a failure what lies beside it is checked first. */
export const mostNeighbours = 100
/** A neighbour seen this recently has nothing new to say; without this, two bad neighbours would call each other for ever. */
const recentMillis = DAY

export const checkNeighbours = ({ viewStore, clock }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-neighbours',
  filter: { categories: [category], types: ['FixityDecided'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(events, event)
    if (type !== 'FixityDecided' || data.outcome !== 'failure') return
    const { path } = itemOf(idOf(event.stream))
    await viewsReach(event.position, signal)
    const recently = addMillis(data.observedAt, -recentMillis)
    const wanted = beside(viewStore, event).filter((row) => isAtRest(row) && !isSeenSince(row, recently))
    yield wanted.map((row) => requestCheck(row, event, clock, 'high', `neighbour of ${path}, which failed`))
  },
})

/**
 * The nearest in the order of paths, in the same folder or below. Chosen by their place alone, so that an event that is
 * heard again finds the same ones, whatever came of the first time.
 */
const beside = (viewStore: ViewStore, { stream }: RecordedEvent): readonly Row[] => {
  const { store, path } = itemOf(idOf(stream))
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const side = (is: '<' | '>') =>
    viewStore.query('fixity-items', {
      where: [
        { column: 'store', is: '=', value: store },
        { column: 'path', is: 'prefix', value: folder },
        { column: 'path', is, value: path },
        { column: 'removed', is: '=', value: 0 },
      ],
      orderBy: [{ column: 'path', descending: is === '<' }],
      limit: mostNeighbours,
    })
  const [before, after] = [side('<'), side('>')]
  const half = mostNeighbours / 2
  return [
    ...before.slice(0, Math.max(half, mostNeighbours - after.length)),
    ...after.slice(0, Math.max(half, mostNeighbours - before.length)),
  ]
}

/** Neither known to be bad nor in the middle of a run, which a request would begin anew. */
const isAtRest = (row: Row): boolean => row.state !== 'failed' && row.parked === 0 && row.attempts === 0

const isSeenSince = ({ lastChecked }: Row, time: string): boolean =>
  typeof lastChecked === 'string' && lastChecked >= time

const requestCheck = (
  row: Row,
  event: RecordedEvent,
  clock: Clock,
  queue: 'high' | 'low',
  reason: string,
): Plan => {
  const item = { store: row.store as string, path: row.path as string }
  return planFor(decider, itemStream(item), {
    type: 'RequestCheck',
    item,
    queue,
    reason,
    actor: event.metadata.actor,
    // The log's times never go back: after a clock that ran ahead they are still to come, and nothing would be due.
    at: earlier(event.recordedAt, clock.now()),
  })
}
