import * as E from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is, tally } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { type EpisodeEvent, episodeEvents } from '../../domain/research/episode/events.ts'
import { clipCategory, episodeCategory } from '../../domain/research/terms.ts'
import { leases } from '../../domain/research/views.ts'
import { WorkItem, workItemsTopic } from '../../domain/research/work-item.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { type OutboxDependencies, outbox } from '../runtime/outbox.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'
import { createItemDescriptions, type ItemDescriptions } from './item-descriptions.ts'

interface ItemPublisherDependencies extends OutboxDependencies {
  readonly viewStore: Views
  readonly viewsReach: ViewsReach
  readonly clock: Clock
  readonly log: Logger
  /** Bytes of descriptions that are kept. */
  readonly cacheBytes?: number
}

const name = 'research-items'
/** CloudEvents source of messages that Fonds sends in research. */
const source = 'fonds://research'

type Granted = Extract<EpisodeEvent, { type: 'LeaseGranted' }>['data']

/**
 * Sends each lease as a work item once its grant is stored, also after a crash in between (L25, F3). The lease's id is the
 * message's, so that a second one is recognised (F5). Stale items are not sent (F4).
 */
export const createItemPublisher = (deps: ItemPublisherDependencies): Subscription => {
  const { viewStore, viewsReach, clock, log, cacheBytes } = deps
  const descriptions = createItemDescriptions(viewStore, cacheBytes)
  /** Leases of the batch under way that have ended already. */
  let ended: ReadonlySet<string> = new Set()

  const sender = outbox(
    {
      name,
      // Curated episodes and clips are followed so that older descriptions of them are forgotten.
      filter: { categories: [episodeCategory, clipCategory], types: ['LeaseGranted', 'Curated', 'Amended'] },
      batchSize: 100,
      recordsOf: (recorded) => {
        const granted = grantedIn(recorded)
        if (!granted || granted.notAfter <= clock.now() || ended.has(granted.lease)) return []
        return [workItemRecord(recorded, granted, descriptions)]
      },
      instead: withoutDescriptions,
      // The item would be stale before the topic takes it, and so would later ones. Researchers that read the views
      // find it there.
      leftOut: ({ topic }, { bytes, limit }) =>
        log.error(
          { part: name },
          `a work item of ${bytes} bytes is not sent: ${topic} takes ${limit}; lower maxClips, or raise the topic's limit`,
        ),
    },
    deps,
  )
  return {
    ...sender,
    async handle(batch, isLeader, signal) {
      const last = batch.events.at(-1)
      if (!last) return isLeader()
      await viewsReach(last.position, signal)
      for (const event of batch.events) forgetCurated(event, descriptions)
      ended = endedOf(batch.events, viewStore)
      return sender.handle(batch, isLeader, signal)
    },
  }
}

const grantedIn = (recorded: RecordedEvent): Granted | undefined => {
  if (recorded.type !== 'LeaseGranted') return undefined
  const event = readOrStop(episodeEvents, recorded)
  return event.type === 'LeaseGranted' ? event.data : undefined
}

const workItemRecord = (
  { stream, recordedAt, metadata: { correlationId, traceparent } }: RecordedEvent,
  { lease, clips, notAfter, deadline }: Granted,
  descriptions: ItemDescriptions,
): ProducerRecord => {
  const data: WorkItem = {
    lease,
    episode: descriptions.episode(idOf(stream)),
    clips: clips.map(descriptions.clip),
    notAfter,
    deadline,
  }
  const message = { id: lease, source, type: 'work.item', time: recordedAt, correlationId, data }
  return writeMessage({ ...message, ...(traceparent && { traceparent }) }, workItemsTopic)
}

const forgetCurated = ({ type, stream }: RecordedEvent, descriptions: ItemDescriptions): void => {
  if (type !== 'LeaseGranted')
    descriptions.forget(categoryOf(stream) === clipCategory ? 'clip' : 'episode', idOf(stream))
}

const endedOf = (events: readonly RecordedEvent[], viewStore: Views): ReadonlySet<string> => {
  const granted = events.flatMap(({ type, data }) =>
    type === 'LeaseGranted' ? [(data as Granted).lease] : [],
  )
  if (granted.length === 0) return new Set()
  const where = [{ column: 'lease', is: 'in', value: granted } as const, is('state', 'ended')]
  return new Set(tally(viewStore, leases, { by: ['lease'], where }).map(({ lease }) => lease))
}

/**
 * The record for a topic that rejects it as too large: researchers work without descriptions. Undefined if it has none.
 */
const withoutDescriptions = (record: ProducerRecord): ProducerRecord | undefined => {
  const item = WorkItem.decode(JSON.parse(record.value.toString()))
  if (E.isLeft(item)) throw new Error(`not a work item: ${record.value}`)
  const { episode, clips } = item.right
  if (![episode, ...clips].some(({ description }) => description !== undefined)) return undefined
  const bare = { ...item.right, episode: undescribed(episode), clips: clips.map(undescribed) }
  return { ...record, value: JSON.stringify(WorkItem.encode(bare)) }
}

const undescribed = <A extends { readonly description?: string | undefined }>({
  description: _,
  ...rest
}: A) => rest
