import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { category as batchCategory, batchEvents } from '../../domain/fixity/batch/events.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

interface Reading {
  readonly viewStore: ViewStore
  readonly eventStore: Pick<EventStore, 'read'>
}

/**
 * The holder of a batch's claim fell silent: that is a failed attempt of each item, which is then checked by itself.
 * The batch holds its items until all of these attempts are written: no delivery goes uncounted.
 */
export const failLostBatches = ({ viewStore, eventStore }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-lost-batches',
  filter: { categories: [batchCategory], types: ['BatchExpired'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(batchEvents, event)
    if (type !== 'BatchExpired') return
    const { store, items: claimed, error, at } = data
    await viewsReach(event.position, signal)
    const paths = claimed.map(({ path }) => path)
    const now = new Map(
      rows(viewStore, items, {
        where: [is('store', store), { column: 'path', is: 'in', value: paths }],
      }).map((row) => [row.path, row]),
    )
    const lost = []
    for (const one of claimed) {
      const revision = now.get(one.path)?.revision
      if (revision === undefined) continue
      // Events since the claim determine an item's next check; reports of an outside index do not concern it.
      if (revision === one.revision || (await isOfIndexAlone(eventStore, { store, ...one }))) lost.push(one)
    }
    yield lost.map(({ path }) => {
      const item = { store, path }
      const command = { type: 'LoseCheck', item, error, actor: event.metadata.actor, at } as const
      return routeTo(decider, itemStream(item), command)
    })
    yield [
      routeTo(batchDecider, event.stream, {
        type: 'SettleBatch',
        actor: event.metadata.actor,
        at: event.recordedAt,
      }),
    ]
  },
})

const ofIndex: ReadonlySet<string> = new Set(['IndexRecorded', 'IndexRemoved'])
/** Most events read of an item: if it has as many, its delivery goes uncounted. */
const maxWords = 1000

/** True if all events after the revision are reports of an outside index. */
const isOfIndexAlone = async (
  eventStore: Reading['eventStore'],
  { revision, ...item }: Item & { readonly revision: number },
): Promise<boolean> => {
  const read = eventStore.read(itemStream(item), BigInt(revision) + 1n, 'forward', maxWords)
  const since = await pipe(read, ifDeleted([]), (task) => orThrow(task, 'the reports on an item'))
  return since.length < maxWords && since.every(({ type }) => ofIndex.has(type))
}
