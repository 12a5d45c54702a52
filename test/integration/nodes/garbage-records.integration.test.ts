import { setTimeout } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import kafkajs from 'kafkajs'
import { expect, it, onTestFinished } from 'vitest'
import { groupPositions, headOf } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { orThrow } from '../../../src/async/unavailable.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { TopicSpec } from '../../../src/domain/kernel/message.ts'
import {
  type Acknowledged,
  everything,
  expectEffects,
  expectOrder,
  expectSoundLog,
} from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { messageOf } from '../../e2e/crash/traffic.ts'
import { recordsOn } from '../../e2e/research/effects.ts'
import { stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { useKafka } from '../own-kafka.ts'
import {
  areAlive,
  contentOf,
  haveReached,
  isAtWork,
  observe,
  registerStores,
  startNode,
  untilHandled,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'
import { garbageFor } from './garbage.ts'

/* What anybody may put on a topic, between messages, while the members of the groups are killed. */

/** `FONDS_TEST_GARBAGE`: so many records. */
const garbage = Number(process.env.FONDS_TEST_GARBAGE ?? 1000)
const perBatch = 500
const good = garbage / 5
/** Of each member. */
const kills = roundsOr(2)
const roles = 'processors,reactions,projections'

it('garbage on all topics, two members, each killed again and again: a dead letter each, once, and every message once', async ({
  skip,
}) => {
  const { seed, chance } = useSeed()
  const kafka = await useKafka(skip)
  const keeper = await useLogKeeper()
  const settings = {
    broker: `kafka://${kafka.address}`,
    eventStore: keeper.address,
    partitions: 4,
    maxDeaths: 1000,
  }
  const system = await observe(settings)
  await registerStores(system)
  const topics = topicsOf(system)
  const { acknowledged, perTopic } = await produce(system, kafka.address, topics, chance)

  const homes = [useFolder().home, useFolder().home]
  const start = (home: string) => startNode(home, settings, roles)
  const live = homes.map(start)
  await until('both are at work', () => live.every(isAtWork))
  const began = performance.now()
  for (let round = 0; round < 2 * kills; round++) {
    await setTimeout(chance() * 2000)
    live[round % 2]!.child.kill('SIGKILL')
    await live[round % 2]!.exit
    live[round % 2] = start(homes[round % 2]!)
    await until('it is at work again', () => isAtWork(live[round % 2]!))
  }
  await untilHandled(system, live)
  const seconds = Math.round((performance.now() - began) / 1000)
  const views = homes.map(viewsOf)
  const head = await headOf(system)
  await until('both show it', () => areAlive(live) && views.every((each) => haveReached(system, each, head)))
  expect(await Promise.all(live.map(stop))).toEqual([0, 0])

  const events = await everything(system)
  const letters = events.flatMap(({ type, data }) => (type === 'DeadLettered' ? [placeOf(data)] : []))
  const bad = await placesOfBad(system, topics)
  const kept = new Set(letters)
  const lost = bad.filter((place) => !kept.has(place))
  console.log(
    `${perTopic} on each of ${topics.length} topics; ${letters.length} dead letters within ${seconds} s`,
  )
  tellFigures(seed, {
    kills: 2 * kills,
    acknowledged: acknowledged.size + perTopic * topics.length,
    lost: lost.length,
    doubled: letters.length - kept.size,
  })
  expect(letters.toSorted()).toEqual(bad.toSorted())
  expect(bad).toHaveLength(perTopic * topics.length + good / 10)
  expectSoundLog(events)
  await expectEffects({ viewStore: views[0]! }, events, acknowledged, good)
  expectOrder(events)
  expect(contentOf(views[1]!)).toEqual(contentOf(views[0]!))
  const { length } = (await groupPositions(system)).filter(({ committed, end }) => committed < end)
  expect(length).toBe(0)
})

/** Topics that processors read. */
const topicsOf = (system: System): readonly TopicSpec[] => [
  ...new Map(
    system.workflows
      .flatMap((workflow) => workflow.processors(system))
      .flatMap((processor) => processor.topics.map((topic) => [topic.name, topic] as const)),
  ).values(),
]

/** Messages among garbage of every kind; with what was acknowledged of the messages. */
const produce = async (
  system: System,
  address: string,
  topics: readonly TopicSpec[],
  chance: () => number,
) => {
  const client = new kafkajs.Kafka({ brokers: [address], logLevel: kafkajs.logLevel.NOTHING })
  const producer = client.producer()
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const acknowledged: Acknowledged = new Map()
  const perTopic = Math.ceil(garbage / topics.length)
  const batches = Math.ceil(garbage / perBatch)
  const shares = (of: number, batch: number) =>
    Math.floor((of * (batch + 1)) / batches) - Math.floor((of * batch) / batches)
  for (let batch = 0; batch < batches; batch++) {
    const count = shares(perTopic, batch)
    await producer.sendBatch({
      topicMessages: topics.map((topic) => ({
        topic: topic.name,
        messages: Array.from({ length: count }, () => garbageFor(topic, chance)),
      })),
    })
    const numbers = Array.from({ length: shares(good, batch) }, (_, i) => acknowledged.size + i)
    const places = await orThrow(
      system.broker.produce(numbers.map((n) => messageOf(n, system.clock.now()).record)),
    )
    for (const [i, { topic, partition, offset }] of places.entries())
      acknowledged.set(numbers[i]!, new Set([`${topic}/${partition}/${offset}`]))
  }
  return { acknowledged, perTopic }
}

/** Records on the topics that are no messages. */
const placesOfBad = async (system: System, topics: readonly TopicSpec[]): Promise<readonly string[]> => {
  const bad: string[] = []
  for (const topic of topics)
    for (const record of await recordsOn(system, topic))
      if (isLeft(readMessage({ ...record, log: system.broker.id }, topic))) bad.push(placeOf(record))
  return bad
}

const placeOf = (data: unknown): string => {
  const { topic, partition, offset } = data as { topic: string; partition: number; offset: string | bigint }
  return `${topic}/${partition}/${offset}`
}
