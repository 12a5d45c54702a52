import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { eventTopicsOf } from '../../../src/app/event-topics.ts'
import { headOf, relayPosition } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import {
  type Acknowledged,
  everything,
  expectEffects,
  expectOrder,
  expectSoundLog,
  readAcknowledged,
} from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { launch, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { useKafka } from '../own-kafka.ts'
import {
  areAlive,
  contentOf,
  haveReached,
  isAtWork,
  type Node,
  observe,
  positionsOf,
  registerStores,
  startNode,
  untilHandled,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

const nodes = 3
const rounds = roundsOr(3, 10)
/** They last longer than the kills do. */
const messages = 500 * rounds
const partitions = 6
const roles = 'processors,reactions,projections,relay'

describe('three nodes on Kafka and a log that a fourth process keeps', () => {
  it('killed and started at random, the broker restarted once: each effect once, in order, all views equal', async ({
    skip,
  }) => {
    const { seed, chance } = useSeed()
    const kafka = await useKafka(skip)
    const keeper = await useLogKeeper()
    const settings = { broker: `kafka://${kafka.address}`, eventStore: keeper.address, partitions }
    const system = await observe(settings)
    await registerStores(system)

    const acknowledged: Acknowledged = new Map()
    const produce = (from: number) =>
      launch(process.execPath, [
        join(import.meta.dirname, '../../e2e/crash/producing.ts'),
        useFolder().home,
        ...[String(from), String(messages), JSON.stringify(settings)],
      ])
    let producer = produce(0)
    const homes = Array.from({ length: nodes }, () => useFolder().home)
    const live: Node[] = homes.map((home) => startNode(home, settings, roles))
    await until('all nodes at work', () => live.every(isAtWork))

    for (let round = 1; round <= rounds; round++) {
      await new Promise((resolve) => setTimeout(resolve, 500 + chance() * 3000))
      const victim = Math.floor(chance() * nodes)
      live[victim]!.child.kill('SIGKILL')
      if (round === Math.floor(rounds / 2)) {
        // A node that still starts where the broker goes away ends with that, as `fonds start` does.
        const others = live.filter((_, node) => node !== victim)
        await until('the other nodes are at work', () => others.every(isAtWork))
        await kafka.kill()
        await kafka.start()
      }
      if (round % 3 === 0) {
        producer.child.kill('SIGKILL')
        await producer.exit
        readAcknowledged(producer, acknowledged)
        const from = acknowledged.size === 0 ? 0 : Math.max(...acknowledged.keys()) + 1
        producer = produce(Math.max(0, from - Math.ceil(chance() * 200)))
      }
      await live[victim]!.exit
      live[victim] = startNode(homes[victim]!, settings, roles)
    }
    expect(await producer.exit, producer.stderr()).toBe(0)
    readAcknowledged(producer, acknowledged)

    await untilHandled(system, live)
    const head = await headOf(system)
    const views = homes.map(viewsOf)
    try {
      await until(
        'all views are there',
        () => areAlive(live) && views.every((each) => haveReached(system, each, head)),
      )
    } catch (error) {
      const places = views.map((each) => positionsOf(system, each))
      const last = live.map(({ stderr }) => stderr().slice(-2000))
      throw new Error(JSON.stringify({ head: `${head}`, places, last }, null, 2), { cause: error })
    }
    const events = await everything(system)
    await until('the relay is there', async () => {
      const relay = await relayPosition(system)
      return relay !== undefined && relay.position >= events.at(-1)!.position
    })
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))

    console.log(`${events.length} events of ${messages} messages; ${rounds} nodes were killed`)
    expectSoundLog(events)
    await expectEffects({ viewStore: views[0]! }, events, acknowledged, messages)
    expectOrder(events)
    await expectRelayed(system, events)
    const [first, ...others] = views.map(contentOf)
    expect(Object.values(first!).flat().length).toBeGreaterThan(messages / 10)
    for (const other of others) expect(other).toEqual(first)
    tellFigures(seed, { kills: rounds + Math.floor(rounds / 3), acknowledged: messages })
  })
})

/** Whoever drops the positions that it has seen reads on the event topics what the log holds, in its order by stream. */
const expectRelayed = async (system: System, events: readonly RecordedEvent[]): Promise<void> => {
  const relayed = new Map<string, string[]>()
  for (const { name } of eventTopicsOf(system.workflows))
    for (let partition = 0; partition < partitions; partition++) {
      const records = await system.broker.peek(name, partition, 0n, 1_000_000)()
      if (isLeft(records)) throw new Error(JSON.stringify(records.left))
      let seen = -1n
      for (const { key, headers } of records.right) {
        const position = BigInt(headers.fonds_position!)
        if (position <= seen) continue
        seen = position
        relayed.set(key!, [...(relayed.get(key!) ?? []), headers.ce_id!])
      }
    }
  const logged = Map.groupBy(events, ({ stream }) => stream)
  expect(relayed.size).toBe(logged.size)
  for (const [stream, life] of logged) expect(relayed.get(stream)).toEqual(life.map(({ id }) => id))
}
