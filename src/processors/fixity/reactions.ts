import { decider } from '../../domain/fixity/decide.ts'
import { requestsOf } from '../../domain/fixity/due/requested.ts'
import { events, type Queue } from '../../domain/fixity/events.ts'
import { isAtRest, restColumns } from '../../domain/fixity/intact.ts'
import { category, itemOf, itemStream } from '../../domain/fixity/item.ts'
import { requestDecider } from '../../domain/fixity/requests/decide.ts'
import { requestStream } from '../../domain/fixity/requests/events.ts'
import { category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { items } from '../../domain/fixity/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { fingerprint } from '../../domain/kernel/fingerprint.ts'
import { type ConditionOn, is, narrowRows, rows } from '../../domain/kernel/read-views.ts'
import { addMillis, DAY, earlier } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Route } from '../runtime/processor.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

/** Items requested together: in one commit of the log, and one transaction of the views. */
const pageSize = 5000
/** Items of one event. */
const requestSize = 1000

/** Columns of an item's row that a request needs. */
const pageColumns = [
  ...restColumns,
  'store',
  'path',
  'state',
  'lastChecked',
  'due',
  'queue',
  'revision',
] as const
type ItemRow = Pick<RowOf<typeof items>, (typeof pageColumns)[number]>

interface Reading {
  readonly viewStore: ViewStore
  readonly clock: Clock
}

/**
 * A request to check a store, or all below a prefix, becomes one request for each page of items at rest, and one for each other
 * item.
 */
export const spreadStoreChecks = ({ viewStore, clock }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-store-checks',
  filter: { categories: [storeCategory], types: ['StoreCheckRequested'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(storeEvents, event)
    if (type !== 'StoreCheckRequested') return
    const { prefix, queue, reason } = data
    await viewsReach(event.position, signal)
    for (const page of pagesOf(viewStore, idOf(event.stream), prefix, is('removed', 0))) {
      // Items checked since are done: a request that is read again, even years later, has no effect.
      const wanted = page.filter((row) => !isSeenSince(row, event.recordedAt))
      const resting = atRest(viewStore, idOf(event.stream), wanted).filter(
        (row) => !isWaiting(row, queue, event),
      )
      const others = wanted.filter((row) => !isAtRest(row))
      yield [
        ...inParts(resting, requestSize).map((part) => requestChecks(part, event, clock, queue, reason)),
        ...others.map((row) => requestCheck(row, event, clock, queue, reason)),
      ]
    }
  },
})

/** A revival of all that is parked in a store, or below a prefix, becomes one for each item. */
export const spreadRevivals = ({ viewStore, clock }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-revivals',
  filter: { categories: [storeCategory], types: ['StoreRevivalRequested'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(storeEvents, event)
    if (type !== 'StoreRevivalRequested') return
    const { prefix, reason } = data
    await viewsReach(event.position, signal)
    const by = { actor: event.metadata.actor, at: earlier(event.recordedAt, clock.now()) }
    const parked = is('parked', 1)
    for (const page of pagesOf(viewStore, idOf(event.stream), prefix, parked))
      yield page.map(({ store, path }) => {
        const item = { store, path }
        return routeTo(decider, itemStream(item), { type: 'ReviveCheck', item, reason, ...by })
      })
  },
})

/**
 * Requests checks once a store is available again: of parked items, and of items found absent while it was unavailable.
 */
export const checkReturned = ({ viewStore, clock }: Reading, viewsReach: ViewsReach): Reaction => ({
  name: 'fixity-returned-stores',
  filter: { categories: [storeCategory], types: ['StoreReturned'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(storeEvents, event)
    if (type !== 'StoreReturned' || data.since === undefined) return
    const { since } = data
    const store = idOf(event.stream)
    await viewsReach(event.position, signal)
    const missed: ConditionOn<typeof items>[] = [
      is('state', 'failed'),
      { column: 'row', is: 'in', value: absentRows },
      { column: 'lastChecked', is: '>=', value: since },
      { column: 'lastChecked', is: '<', value: event.recordedAt },
    ]
    for (const where of [[is('parked', 1)], missed])
      for (const page of pagesOf(viewStore, store, '', is('removed', 0), ...where))
        yield page.map((row) => requestCheck(row, event, clock, 'high', `store ${store} is there again`))
  },
})

/** Rows of decisions about absent content. */
const absentRows = ['F8', 'clause 1']

/** The items of a store in the order of their paths. */
function* pagesOf(
  viewStore: ViewStore,
  store: string,
  prefix: string,
  ...where: readonly ConditionOn<typeof items>[]
): Generator<readonly ItemRow[]> {
  for (let after = ''; ; ) {
    const page = narrowRows(viewStore, items, pageColumns, {
      where: [
        is('store', store),
        ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
        ...(after ? [{ column: 'path', is: '>', value: after } as const] : []),
        ...where,
      ],
      orderBy: [{ column: 'path' }],
      limit: pageSize,
    })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.path
  }
}

/** Damage comes in clusters: after a failure its neighbours are checked first. */
export const maxNeighbours = 100
/** A neighbour checked this recently is left alone. Otherwise two bad neighbours would request each other for ever. */
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
    const wanted = beside(viewStore, event).filter((row) => isInOrder(row) && !isSeenSince(row, recently))
    yield wanted.map((row) => requestCheck(row, event, clock, 'high', `neighbour of ${path}, which failed`))
  },
})

/**
 * The nearest items in the order of paths, in the same folder or below. They are chosen by their paths alone, so that an
 * event that is read again finds the same ones, whatever came of the first time.
 */
const beside = (viewStore: ViewStore, { stream }: RecordedEvent): readonly ItemRow[] => {
  const { store, path } = itemOf(idOf(stream))
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const side = (than: '<' | '>') =>
    rows(viewStore, items, {
      where: [
        is('store', store),
        { column: 'path', is: 'prefix', value: folder },
        { column: 'path', is: than, value: path },
        is('removed', 0),
      ],
      orderBy: [{ column: 'path', descending: than === '<' }],
      limit: maxNeighbours,
    })
  const [before, after] = [side('<'), side('>')]
  const half = maxNeighbours / 2
  return [
    ...before.slice(0, Math.max(half, maxNeighbours - after.length)),
    ...after.slice(0, Math.max(half, maxNeighbours - before.length)),
  ]
}

/** True if the item is neither failed, nor parked, nor in the middle of a run: a request would restart the run. */
const isInOrder = (row: ItemRow): boolean => row.state !== 'failed' && row.parked === 0 && row.attempts === 0

const isSeenSince = ({ lastChecked }: ItemRow, time: string): boolean =>
  lastChecked !== null && lastChecked >= time

/** Items at rest, each with the queue entries that its check waits in: its own row, and earlier requests. */
const atRest = (viewStore: ViewStore, store: string, page: readonly ItemRow[]) => {
  const resting = page.filter(isAtRest)
  const requested = requestsOf(
    viewStore,
    store,
    resting.map(({ path }) => path),
  )
  return resting.map((row) => ({ ...row, waits: [row, ...(requested.get(row.path) ?? [])] }))
}

/** True if the item's check already waits in the wanted queue, or in the high one. */
const isWaiting = (
  { waits }: { readonly waits: readonly Pick<ItemRow, 'due' | 'queue'>[] },
  wanted: Queue,
  { recordedAt }: RecordedEvent,
): boolean =>
  waits.some(({ due, queue }) => due !== null && due <= recordedAt && (queue === 'high' || queue === wanted))

const inParts = <A>(all: readonly A[], size: number): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

/**
 * The stream's name follows from the paths: another page of the same request has another name, and the same page read
 * again has no effect.
 */
const requestChecks = (
  page: readonly ItemRow[],
  event: RecordedEvent,
  clock: Clock,
  queue: Queue,
  reason: string,
): Route => {
  const paths = page.map(({ path }) => path)
  const name = `${event.id}/${fingerprint(paths.join('/')).toString(36)}`
  return routeTo(requestDecider, requestStream(name), {
    type: 'RequestChecks',
    store: idOf(event.stream),
    paths,
    queue,
    reason,
    actor: event.metadata.actor,
    at: requestedAt(event, clock),
  })
}

/** The log's times never decrease: after a clock ran ahead they lie in the future, and nothing would be due. */
const requestedAt = ({ recordedAt }: RecordedEvent, clock: Clock): string => earlier(recordedAt, clock.now())

const requestCheck = (
  { store, path }: ItemRow,
  event: RecordedEvent,
  clock: Clock,
  queue: Queue,
  reason: string,
): Route => {
  const item = { store, path }
  return routeTo(decider, itemStream(item), {
    type: 'RequestCheck',
    item,
    queue,
    reason,
    actor: event.metadata.actor,
    at: requestedAt(event, clock),
  })
}
