import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { GroupsBound } from '../domain/kernel/groups-bound.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import { Away } from '../ports/away.ts'
import type { BrokerFailure, TopicInfo } from '../ports/broker.ts'
import { inWords } from '../ports/broker-failure.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { GroupBinding, InUse } from '../ports/group-binding.ts'
import { orAway } from '../projections/runtime/fold.ts'
import { notingNewest } from './own-log.ts'
import type { System } from './system.ts'

/** `known`: back to where this log's events come from; `beginning`: to the oldest record that is kept. */
export type StartFrom = 'known' | 'beginning'

/**
 * Messages of a partition are finished a batch (500 records) after the other, those of a batch in any order: what lies
 * further back than a batch is finished. Ten, since offsets have gaps.
 */
const unordered = 5000n
const pageSize = 500

const noBinding =
  'the topics are embedded: their groups are kept in one file with them, and nothing has to be bound; give the Kafka with FONDS_BROKER'

/**
 * Gives the groups of all processors to this log, while nobody is at work in them. They go back, never beyond what this
 * log may lack: a message that it knows decides nothing again. Throws `Away`.
 */
export const bindGroups = async (
  system: System,
  from: StartFrom,
): Promise<Either<Rejection, Pick<GroupsBound, 'broker' | 'groups'>>> => {
  const { broker, eventStore, workflows } = system
  if (!broker.binding) return left({ code: 'embedded', message: noBinding })
  const topics = await orAwayFrom(broker.topics())
  const offsets = new Map(topics.map(({ name, offsets }) => [name, offsets]))
  const processors = workflows.flatMap((workflow) => workflow.processors(system))
  const readers = Map.groupBy(
    processors.flatMap((processor) => processor.topics.map(({ name }) => name)),
    (topic) => topic,
  )
  // An event does not say which group's message it comes of: of topics with several readers nothing is known.
  const telling = topics.filter(({ name }) => readers.get(name)?.length === 1)
  const last =
    from === 'known' ? await lastHandled(eventStore, broker.id, telling) : new Map<string, bigint>()
  const mark = await notingNewest(eventStore).ownLog.ask()

  const bound: GroupsBound['groups'] = []
  for (const { name: group, topics } of processors) {
    const ours = await placesOf(broker.binding, group, mark.log)
    const places = topics.flatMap(({ name: topic }) =>
      (offsets.get(topic) ?? []).map(({ partition, start }) => {
        const key = keyOf(topic, partition)
        const known = ours.has(key) ? last.get(key) : undefined
        const back = known === undefined ? start : known + 1n - unordered
        return { topic, partition, next: back > start ? back : start, mark }
      }),
    )
    if (places.length === 0) continue
    const done = await broker.binding.bind(group, places)()
    if (isLeft(done)) return left(refusalOf(done.left))
    bound.push({
      group,
      places: places.map(({ topic, partition, next }) => ({ topic, partition, next: `${next}` })),
    })
  }
  return right({ broker: broker.id, groups: bound })
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`

/** Partitions in which the group worked for this log, or for a copy of it: of others it may have handled anything. */
const placesOf = async (binding: GroupBinding, group: string, log: string): Promise<ReadonlySet<string>> => {
  const places = await orAwayFrom(binding.places(group))
  return new Set(
    places.filter(({ mark }) => mark?.log === log).map(({ topic, partition }) => keyOf(topic, partition)),
  )
}

/** Offset of the message that the newest event of each partition comes of. */
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
    const page: readonly RecordedEvent[] = await orAway(eventStore.readBack(before, pageSize))
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

const orAwayFrom = async <A>(task: TaskEither<BrokerFailure, A>): Promise<A> => {
  const done = await task()
  if (isLeft(done)) throw new Away(inWords(done.left))
  return done.right
}

const refusalOf = (failure: InUse | BrokerFailure): Rejection => {
  if (failure.kind !== 'InUse') throw new Away(inWords(failure))
  return {
    code: 'in-use',
    message:
      `the group ${failure.group} is at work: stop all processes that use it, wait until Kafka misses those that were ` +
      'killed (45 s), then give the command again',
  }
}
