import * as E from 'fp-ts/lib/Either.js'
import { orThrow, unavailable } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { GroupsBound } from '../../domain/kernel/groups-bound.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { TopicInfo } from '../../ports/broker.ts'
import type { BrokerFailure } from '../../ports/broker-failure.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { GroupBinding, InUse } from '../../ports/group-binding.ts'
import { notingNewest } from '../../processors/runtime/own-log.ts'
import { groupOf, type Processor } from '../../processors/runtime/processor.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/**
 * New offsets of the groups. `known`: those of the messages that this log's newest events come from. `beginning`: the
 * oldest record kept.
 */
type StartFrom = 'known' | 'beginning'

/**
 * Most that offsets of unfinished messages may be below the newest handled one: a partition's batches (500 records) are
 * finished one after the other, the messages of a batch in any order. Ten batches, since offsets have gaps.
 */
const unordered = 5000n
const pageSize = 500

const noBinding =
  'the topics are embedded: their groups are kept in one file with them, and nothing has to be bound; give the Kafka with FONDS_BROKER'

/**
 * Binds the consumer groups of all processors to this log, while no member is at work in them. Their offsets are reset
 * as far as this log may lack messages. Messages that it has handled decide nothing again. Throws `UnavailableError`.
 */
export const bindGroups = async (
  system: WorkflowContext,
  from: StartFrom,
): Promise<E.Either<Rejection, Pick<GroupsBound, 'broker' | 'groups'>>> => {
  const { broker, eventStore, workflows } = system
  if (!broker.binding) return E.left({ code: 'embedded', message: noBinding })
  const topics = await orThrow(broker.topics())
  const offsets = new Map(topics.map(({ name, offsets }) => [name, offsets]))
  const processors = workflows.flatMap((workflow) => workflow.processors(system))
  const readers = Map.groupBy(
    processors.flatMap((processor) => processor.topics.map(({ name }) => name)),
    (topic) => topic,
  )
  // An event does not name the group that handled its message: if several groups read a topic, nothing is known.
  const ofOneReader = topics.filter(({ name }) => readers.get(name)?.length === 1)
  const last =
    from === 'known' ? await lastHandled(eventStore, broker.id, ofOneReader) : new Map<string, bigint>()
  const mark = await notingNewest(eventStore).ownLog.ask()

  const bound: GroupsBound['groups'] = []
  for (const processor of processors) {
    const { group, formerGroup } = groupOf(processor)
    const ours = await placesOf(broker.binding, processor, mark.log)
    const places = processor.topics.flatMap(({ name: topic }) =>
      (offsets.get(topic) ?? []).map(({ partition, start }) => {
        const key = keyOf(topic, partition)
        const known = ours.has(key) ? last.get(key) : undefined
        const back = known === undefined ? start : known + 1n - unordered
        return { topic, partition, next: back > start ? back : start, mark }
      }),
    )
    if (places.length === 0) continue
    const done = await broker.binding.bind(group, places, formerGroup)()
    if (E.isLeft(done)) return E.left(rejectionOf(done.left))
    bound.push({
      group,
      places: places.map(({ topic, partition, next }) => ({ topic, partition, next: `${next}` })),
    })
  }
  return E.right({ broker: broker.id, groups: bound })
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`

/**
 * Returns the partitions in which the group worked for this log, or for a copy of it. In others it may have handled any
 * message.
 */
const placesOf = async (
  binding: GroupBinding,
  processor: Processor,
  log: string,
): Promise<ReadonlySet<string>> => {
  const { group, formerGroup } = groupOf(processor)
  const places = await orThrow(binding.places(group, formerGroup))
  return new Set(
    places.filter(({ mark }) => mark?.log === log).map(({ topic, partition }) => keyOf(topic, partition)),
  )
}

/** Returns the offset of the message that led to the newest event, by partition. */
const lastHandled = async (
  eventStore: EventStore,
  brokerId: string,
  topics: readonly TopicInfo[],
): Promise<ReadonlyMap<string, bigint>> => {
  const wanted = new Set(
    topics.flatMap(({ name, offsets }) =>
      offsets.filter(({ end }) => end > 0n).map(({ partition }) => keyOf(name, partition)),
    ),
  )
  const found = new Map<string, bigint>()
  for (let before: bigint | 'end' = 'end'; wanted.size > 0; ) {
    const page: readonly RecordedEvent[] = await orThrow(eventStore.readBack(before, pageSize))
    for (const { metadata } of page) {
      const { origin } = metadata
      if (origin?.log !== brokerId) continue
      const key = keyOf(origin.topic, origin.partition)
      if (wanted.delete(key)) found.set(key, BigInt(origin.offset))
    }
    const oldest = page.at(-1)
    if (!oldest) break
    before = oldest.position
  }
  return found
}

const rejectionOf = (failure: InUse | BrokerFailure): Rejection => {
  if (failure.kind !== 'InUse') throw unavailable(failure)
  return {
    code: 'in-use',
    message:
      `the group ${failure.group} has members: stop all processes that use it, wait until Kafka misses those that were ` +
      'killed (45 s), then run the command again',
  }
}
