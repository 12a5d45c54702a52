import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askCommand } from '../../../src/cli/fixity/ask.ts'
import {
  type Acknowledged,
  everything,
  expectEffects,
  expectOrder,
  expectSoundLog,
  random,
  readAcknowledged,
} from '../../e2e/crash/expectations.ts'
import { launch, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import {
  areHandled,
  contentOf,
  haveReached,
  headOf,
  isAtWork,
  type Node,
  observe,
  startNode,
  useKafka,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

const messages = 50_000
const nodes = 3
const rounds = 10

describe('three nodes on Kafka and a log that a fourth process keeps', () => {
  it('killed and started at random, the broker restarted once: each effect once, in order, all views equal', {
    timeout: 900_000,
  }, async ({ skip }) => {
    const seed = Number(process.env.FONDS_TEST_SEED ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}: FONDS_TEST_SEED=${seed} repeats the moments`)
    const chance = random(seed)
    const kafka = await useKafka(skip)
    const keeper = await useLogKeeper()
    const settings = { broker: `kafka://${kafka.address}`, eventStore: keeper.address, partitions: 6 }
    const system = await observe(settings)
    const by = { actor: 'test', reason: 'test' }
    const stores = [
      { store: 'folder', root: useFolder().root },
      { store: 'elsewhere', kind: 'external' },
    ]
    for (const store of stores)
      await askCommand(system, 'fixity.register-store', { ...store, lagSeconds: 0 }, by)

    const acknowledged: Acknowledged = new Map()
    const produce = (from: number) =>
      launch(process.execPath, [
        join(import.meta.dirname, '../../e2e/crash/producing.ts'),
        useFolder().home,
        ...[String(from), String(messages), JSON.stringify(settings)],
      ])
    let producer = produce(0)
    const homes = Array.from({ length: nodes }, () => useFolder().home)
    const live: Node[] = homes.map((home) => startNode(home, settings))
    await until('all nodes at work', () => live.every(isAtWork), 60)

    for (let round = 1; round <= rounds; round++) {
      await new Promise((resolve) => setTimeout(resolve, 500 + chance() * 3000))
      const victim = Math.floor(chance() * nodes)
      live[victim]!.child.kill('SIGKILL')
      if (round === rounds / 2) {
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
      live[victim] = startNode(homes[victim]!, settings)
    }
    expect(await producer.exit, producer.stderr()).toBe(0)
    readAcknowledged(producer, acknowledged)

    await until('every message is handled', () => areHandled(system), 400)
    const head = await headOf(system)
    const views = homes.map(viewsOf)
    await until('all views are there', () => views.every((each) => haveReached(system, each, head)), 120)
    expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))

    const events = await everything(system)
    console.log(
      `${events.length} events of ${messages} messages; ${live.length} nodes, ${rounds} of them killed`,
    )
    expectSoundLog(events)
    await expectEffects({ viewStore: views[0]! }, events, acknowledged, messages)
    expectOrder(events)
    const [first, ...others] = views.map(contentOf)
    expect(Object.values(first!).flat().length).toBeGreaterThan(messages / 10)
    for (const other of others) expect(other).toEqual(first)
  })
})
