import type { FixityCommand } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import {
  type contentTopic,
  type indexTopic,
  type observationsTopic,
  type StoreObservedMessage,
  topics,
  type Word,
} from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { basedOn } from '../../domain/fixity/upcasts.ts'
import type { Message, MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

/** What commands need beside the message. */
export interface FixityLookups {
  /** Rules of these stores; unregistered ones follow the default. */
  policies(stores: ReadonlySet<string>): Promise<ReadonlyMap<string, Policy>>
  /** What our own content index says of these items, or how far it lags behind them. In the same order. */
  ownIndex(items: readonly Item[]): Promise<readonly (Word | LaggingIndex)[]>
}

type FixityMessage = Exclude<
  MessagesOf<typeof contentTopic | typeof indexTopic | typeof observationsTopic>,
  { readonly type: 'store.observed' }
>

/** Messages of audit log, index and observers become commands on their item's stream. */
export const fixityProcessor = (lookups: FixityLookups, clock: Clock): Processor => ({
  name: 'fonds.fixity',
  group: 'fonds.fixity.items',
  topics,
  route: async (messages) => {
    const isOfStore = ({ type }: Message) => type === 'store.observed'
    const items = messages.map(({ data }) => itemIn(data))
    const ofItems = items.filter((_, i) => !isOfStore(messages[i]!))
    const policies = await lookups.policies(new Set(ofItems.map(({ store }) => store)))
    const observed = messages.flatMap(({ type }, i) => (type === 'content.observed' ? [i] : []))
    const found = await lookups.ownIndex(observed.map((i) => items[i]!))
    const ownIndex = new Map(observed.map((i, n) => [i, found[n]!]))
    const now = clock.now()
    return messages.map((message, i) => {
      const item = items[i]!
      if (isOfStore(message)) return [sightOf(message, clock.now())]
      const command = commandFor(message as FixityMessage, item, {
        now,
        policy: policies.get(item.store) ?? defaultPolicy,
        index: ownIndex.get(i) ?? { status: 'absent' },
      })
      return [routeTo(decider, itemStream(item), command)]
    })
  },
})

const sightOf = ({ source, data }: Message, now: string): Route => {
  const { store, place, isThere, why = 'nothing of it is found', observedAt } = data as StoreObservedMessage
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

interface Known {
  readonly now: string
  readonly policy: Policy
  readonly index: Word | LaggingIndex
}

const commandFor = (message: FixityMessage, item: Item, { now, policy, index }: Known): FixityCommand => {
  const by = { item, actor: message.source, at: earlier(message.time, now) }
  switch (message.type) {
    case 'content.recorded': {
      const { checksums, size, version, recordedFrom } = message.data
      return {
        type: 'RecordContent',
        ...by,
        // Messages of a Fonds before this one say it in this text alone.
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
    case 'content.observed': {
      const { content, storage, audit, fence, worker, observedAt } = message.data
      return {
        type: 'Observe',
        ...by,
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
      }
    }
  }
}

const itemIn = (data: Message['data']): Item => {
  const { store, path } = data as Item
  return { store, path }
}
