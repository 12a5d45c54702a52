import { batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import type { FixityCommand, LastObservation } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import {
  type contentTopic,
  type indexTopic,
  type observationsTopic,
  topics,
  type Word,
} from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { basedOn } from '../../domain/fixity/upcasts.ts'
import type { MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import { type BatchReading, sortReport } from './batch-reports.ts'

/** Our own records of an item. */
export interface OwnRecord {
  /** The entry of our own content index, or how far the index lags behind the item's stream. */
  readonly index: Word | LaggingIndex
  /** Absent if the item was never checked. */
  readonly lastObservation?: LastObservation
}

/** Lookups of the data that commands need besides the message. */
export interface FixityLookups {
  /** Policies of these stores; unregistered ones have the default. */
  policies(stores: ReadonlySet<string>): Promise<ReadonlyMap<string, Policy>>
  /** In the order of `items`. `mayBeInBatch`: batches reported since may have checked them. */
  ownRecords(items: readonly Item[], mayBeInBatch: boolean): Promise<readonly OwnRecord[]>
  batch(id: string, store: string, paths: readonly string[]): Promise<BatchReading>
}

type FixityMessage = MessagesOf<typeof contentTopic | typeof indexTopic | typeof observationsTopic>
type BatchMessage = Extract<FixityMessage, { type: 'batch.observed' }>
type StoreMessage = Extract<FixityMessage, { type: 'store.observed' }>
type ObservedMessage = Extract<FixityMessage, { type: 'content.observed' }>
type RecordMessage = Exclude<FixityMessage, BatchMessage | StoreMessage | ObservedMessage>

/** The handling of a message, as planned before our own records of its items are known. */
interface Plan {
  readonly route?: Route
  /** Commands of observers on items' streams: they need our own records. */
  readonly onItems: readonly ((known: Known) => FixityCommand)[]
  readonly items: readonly Item[]
  readonly mayBeInBatch: boolean
}

/**
 * Routes messages of audit log, index and observers to their item's stream. Routes items of a batch that are as
 * recorded to the batch's stream.
 */
export const fixityProcessor = (lookups: FixityLookups, clock: Clock): Processor => ({
  name: 'fonds.fixity',
  group: 'fonds.fixity.items',
  topics,
  route: async (messages) => {
    const ofItems = messages.filter(({ type }) => type !== 'store.observed')
    const policies = await lookups.policies(new Set(ofItems.map(({ data }) => (data as Item).store)))
    const policyOf = (store: string) => policies.get(store) ?? defaultPolicy
    const received = clock.now()
    const plans = await allOf(
      messages.map((message) => planOf(message as FixityMessage, lookups, policyOf, clock, received)),
    )
    const observing = plans.filter(({ items }) => items.length > 0)
    const records = await lookups.ownRecords(
      observing.flatMap(({ items }) => items),
      observing.some(({ mayBeInBatch }) => mayBeInBatch),
    )
    const now = clock.now()
    let next = 0
    return plans.map(({ route, onItems, items }) => {
      if (onItems.length === 0) return route ? [route] : []
      const commands = onItems.map((command, i) => {
        const item = items[i]!
        const known = { ...records[next++]!, now, policy: policyOf(item.store) }
        const onItem = routeTo(decider, itemStream(item), command(known))
        // Many items, each with a correlation of its own.
        return route ? { ...onItem, ofStream: true as const } : onItem
      })
      return route ? [route, ...commands] : commands
    })
  },
})

interface Known extends OwnRecord {
  readonly now: string
  readonly policy: Policy
}

/** Returns a promise for a batch alone, whose items are looked up: single items come by the thousand. */
const planOf = (
  message: FixityMessage,
  lookups: FixityLookups,
  policyOf: (store: string) => Policy,
  clock: Clock,
  now: string,
): Plan | Promise<Plan> => {
  if (message.type === 'batch.observed') return batchPlan(message, lookups, policyOf, clock)
  if (message.type === 'store.observed') return routeAlone(sightOf(message, now))
  const { store, path } = message.data
  const item = { store, path }
  if (message.type !== 'content.observed') {
    const command = recordCommand(message, item, policyOf(store), now)
    return routeAlone(routeTo(decider, itemStream(item), command))
  }
  return {
    items: [item],
    onItems: [(known) => observeCommand(message, item, known)],
    mayBeInBatch: message.data.fence === undefined,
  }
}

const routeAlone = (route: Route): Plan => ({ route, onItems: none, items: none, mayBeInBatch: false })

const none: readonly never[] = []

const allOf = async <A>(values: readonly (A | Promise<A>)[]): Promise<readonly A[]> => {
  const isAtHand = (value: A | Promise<A>): value is A => !(value instanceof Promise)
  return values.every(isAtHand) ? values : Promise.all(values)
}

const sightOf = ({ source, data }: StoreMessage, now: string): Route => {
  const { store, place, isThere, why = 'nothing of it is found', observedAt } = data
  const at = earlier(observedAt, now)
  return routeTo(storeDecider, storeStream(store), {
    type: 'Sight',
    store,
    place,
    isThere,
    why,
    actor: source,
    at,
  })
}

const batchPlan = async (
  message: BatchMessage,
  lookups: FixityLookups,
  policyOf: (store: string) => Policy,
  clock: Clock,
): Promise<Plan> => {
  const { batch, store, worker, observations } = message.data
  const reading = await lookups.batch(
    batch,
    store,
    observations.map(({ path }) => path),
  )
  const at = clock.now()
  const { intact, others } = sortReport(message.data, reading, policyOf(store), at)
  const by = { actor: message.source, at }
  return {
    route: routeTo(batchDecider, batchStream(batch), {
      type: 'ReportBatch',
      ...by,
      worker,
      intact,
      others: others.length,
    }),
    items: others.map(({ path }) => ({ store, path })),
    onItems: others.map(({ path, ...observation }) => ({ index, lastObservation, now, policy }) => ({
      type: 'Observe',
      ...by,
      item: { store, path },
      ...observation,
      at: now,
      index,
      ...(lastObservation && { lastObservation }),
      worker,
      policy,
    })),
    mayBeInBatch: false,
  }
}

const recordCommand = (message: RecordMessage, item: Item, policy: Policy, now: string): FixityCommand => {
  const by = { item, actor: message.source, at: earlier(message.time, now) }
  switch (message.type) {
    case 'content.recorded': {
      const { checksums, size, version, recordedFrom } = message.data
      return {
        type: 'RecordContent',
        ...by,
        // Messages of older versions of Fonds state the basis in this text alone.
        checksums: basedOn(recordedFrom, checksums),
        size,
        version,
        recordedFrom: recordedFrom ?? message.source,
      }
    }
    case 'content.removed':
      return { type: 'RemoveContent', ...by, reason: message.data.reason, policy }
    case 'index.recorded':
      return { type: 'RecordIndex', ...by, checksums: message.data.checksums, size: message.data.size }
    case 'index.removed':
      return { type: 'RemoveIndex', ...by }
    case 'content.sighted': {
      const { isDeleted = false, sightedAt } = message.data
      return { type: 'SightContent', ...by, isDeleted, sightedAt: earlier(sightedAt, now), at: now }
    }
  }
}

const observeCommand = (
  message: ObservedMessage,
  item: Item,
  { now, policy, index, lastObservation }: Known,
): FixityCommand => {
  const { content, storage, audit, fence, worker, observedAt } = message.data
  return {
    type: 'Observe',
    item,
    actor: message.source,
    // The next due time counts from now, however long the report was under way.
    at: now,
    content,
    storage,
    observedIndex: message.data.index,
    index,
    audit,
    fence,
    worker,
    observedAt: earlier(observedAt, now),
    policy,
    ...(lastObservation && { lastObservation }),
  }
}
