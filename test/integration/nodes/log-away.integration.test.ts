import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import { groupPositions, headOf } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { contentTopic } from '../../../src/domain/fixity/messages.ts'
import type { ProducerRecord } from '../../../src/ports/broker.ts'
import {
  type Acknowledged,
  everything,
  expectEffects,
  expectOrder,
  expectSoundLog,
} from '../../e2e/crash/expectations.ts'
import { inSoak } from '../../e2e/crash/seed.ts'
import { messageOf } from '../../e2e/crash/traffic.ts'
import { stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import {
  areHandled,
  haveReached,
  isAtWork,
  observe,
  registerStores,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

const kafka = server('kafka')
const address = 'address' in kafka ? kafka.address : ''
const partitions = 4
/** Before the log goes away, and meanwhile. */
const many = inSoak(500, 2000)
/** Longer than the pauses between two tries grow in this time. */
const awayMillis = 15_000

const useSystem = async () => {
  const keeper = await useLogKeeper()
  const settings = {
    broker: `kafka://${address}`,
    topicPrefix: `${uuid()}-`,
    partitions,
    eventStore: keeper.address,
  }
  const system = await observe(settings)
  await registerStores(system)
  const { home } = useFolder()
  const node = startNode(home, settings)
  await until('at work', () => isAtWork(node))
  return { keeper, system, home, node }
}

const produce = async ({ broker }: System, records: readonly ProducerRecord[]) => {
  const placed = await broker.produce(records)()
  if (isLeft(placed)) throw new Error(JSON.stringify(placed.left))
  return placed.right
}

const send = async (system: System, from: number, to: number, acknowledged: Acknowledged) => {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i)
  const placed = await produce(
    system,
    numbers.map((n) => messageOf(n).record),
  )
  for (const [i, { topic, partition, offset }] of placed.entries())
    acknowledged.set(numbers[i]!, new Set([`${topic}/${partition}/${offset}`]))
}

const waiting = async (system: System): Promise<number> =>
  (await groupPositions(system)).reduce((sum, { committed, end }) => sum + Number(end - committed), 0)

describe.skipIf('absent' in kafka)('a node on Kafka', () => {
  it('the event store is away for a while: nothing is skipped, everything is done when it is back', async () => {
    const { keeper, system, home, node } = await useSystem()
    const acknowledged: Acknowledged = new Map()
    await send(system, 0, many, acknowledged)
    await until('the first are handled', () => areHandled(system))
    await keeper.kill()
    await send(system, many, 2 * many, acknowledged)
    await new Promise((resolve) => setTimeout(resolve, awayMillis))
    expect(await waiting(system)).toBe(many)
    expect(node.child.exitCode).toBeNull()
    // Somebody reads the log: it says what is wrong, and not a thousand times.
    const said = node.stderr().split('\n').length
    expect(said).toBeGreaterThan(1)
    expect(said).toBeLessThan(500)

    await keeper.comeBack()
    await until('the others are handled', () => areHandled(system))
    const head = await headOf(system)
    const views = viewsOf(home)
    await until('the views are there', () => haveReached(system, views, head))
    const events = await everything(system)
    expectSoundLog(events)
    await expectEffects({ viewStore: views }, events, acknowledged, 2 * many)
    expectOrder(events)
    expect(await stop(node)).toBe(0)
  })

  it('a poison message in every partition: each is kept whole, all others have their effect', async () => {
    const { system, home, node } = await useSystem()
    const poisoned = new Set<number>()
    for (let n = 0; poisoned.size < partitions; n++) {
      const poison = {
        topic: contentTopic.name,
        key: `poison ${n}`,
        headers: {},
        value: Buffer.from([0xff, 0x00]),
      }
      for (const { partition } of await produce(system, [poison])) poisoned.add(partition)
    }
    const acknowledged: Acknowledged = new Map()
    await send(system, 0, 500, acknowledged)
    await until('all are handled', () => areHandled(system))
    const head = await headOf(system)
    const views = viewsOf(home)
    await until('the views are there', () => haveReached(system, views, head))
    const events = await everything(system)
    const letters = events
      .filter(({ type }) => type === 'DeadLettered')
      .map(({ data }) => data as { key: string; partition: number })
    expect(
      new Set(letters.filter(({ key }) => key.startsWith('poison')).map(({ partition }) => partition)),
    ).toEqual(poisoned)
    await expectEffects({ viewStore: views }, events, acknowledged, 500)
    expect(await stop(node)).toBe(0)
  })
})
