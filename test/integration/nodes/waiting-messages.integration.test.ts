import { readFileSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { contentTopic } from '../../../src/domain/fixity/messages.ts'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import { areHandled, isAtWork, observe, registerStores, startNode, useLogKeeper } from './cluster.ts'

const kafka = server('kafka')
const address = 'address' in kafka ? kafka.address : ''

/** Topics and groups of this test alone. */
const settingsOf = (partitions: number) => ({
  broker: `kafka://${address}`,
  topicPrefix: `${uuid()}-`,
  partitions,
})

const message = (n: number) =>
  writeMessage(
    {
      id: String(n),
      source: 'urn:test:waiting',
      type: 'content.recorded',
      time: '2026-01-01T00:00:00.000Z',
      data: { store: 'elsewhere', path: `folder ${n % 1000}/item ${n}`, size: n, checksums: [] },
    },
    contentTopic,
  )

const produce = async ({ broker }: System, count: number): Promise<void> => {
  const size = 1000
  const batch = (from: number) =>
    Array.from({ length: Math.min(size, count - from) }, (_, i) => message(from + i))
  for (let from = 0; from < count; from += 4 * size) {
    const starts = [0, 1, 2, 3].map((n) => from + n * size).filter((start) => start < count)
    const placed = await Promise.all(starts.map((start) => broker.produce(batch(start))()))
    for (const one of placed) if (isLeft(one)) throw new Error(JSON.stringify(one.left))
  }
}

/** Resident memory of a process, MiB. */
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const handledOf = async (system: System): Promise<number> => {
  const groups = await system.broker.groups()()
  if (isLeft(groups)) throw new Error(JSON.stringify(groups.left))
  return groups.right
    .flatMap(({ partitions }) => partitions)
    .filter(({ topic }) => topic === contentTopic.name)
    .reduce((sum, { committed }) => sum + Number(committed), 0)
}

describe.skipIf('absent' in kafka)('many messages wait on Kafka', () => {
  // The first quarter fills what is kept in memory.
  const many = 400_000

  it('400,000: memory stays flat while they are handled', async () => {
    const settings = settingsOf(3)
    const { home } = useFolder()
    const system = await observe(settings, home)
    await registerStores(system)
    await produce(system, many)
    const node = startNode(home, { ...settings, durability: 'normal' }, 'processors')

    const samples: { readonly handled: number; readonly resident: number }[] = []
    await until(
      'all of them are handled',
      async () => {
        const handled = await handledOf(system)
        samples.push({ handled, resident: residentOf(node.child.pid!) })
        return handled >= many
      },
      600,
    )
    // It handles messages before the last of its groups is joined, and before it listens to signals.
    await until('at work', () => isAtWork(node))
    expect(await stop(node)).toBe(0)
    const most = (from: number, to: number) =>
      Math.max(
        ...samples.filter(({ handled }) => handled > from && handled <= to).map(({ resident }) => resident),
      )
    const [early, late] = [most(0, many / 4), most((many * 3) / 4, many)].map(Math.round) as [number, number]
    console.log(`resident at most: first quarter ${early} MiB, last quarter ${late} MiB`)
    expect(late).toBeLessThan(Math.max(early * 1.25, early + 100))
  })
})

describe.skipIf('absent' in kafka)('one, two and three consumers', () => {
  const messages = 3000

  it('share a topic of three partitions', async () => {
    const keeper = await useLogKeeper()
    await registerStores(await observe({ ...settingsOf(3), eventStore: keeper.address }))
    const rates: string[] = []
    for (const consumers of [1, 2, 3]) {
      const settings = { ...settingsOf(3), eventStore: keeper.address }
      const system = await observe(settings)
      const nodes = Array.from({ length: consumers }, () =>
        startNode(useFolder().home, settings, 'processors'),
      )
      await until('every node has its share of the partitions', async () => {
        const groups = await system.broker.groups()()
        if (isLeft(groups)) return false
        const members = groups.right.find(({ group }) => group === 'fonds.fixity.items')?.members ?? []
        return members.length === consumers && members.every(({ partitions }) => partitions.length > 0)
      })
      const started = performance.now()
      await produce(system, messages)
      await until('all are handled', () => areHandled(system), 300)
      const seconds = (performance.now() - started) / 1000
      rates.push(`${consumers}: ${Math.round(messages / seconds)} messages/s`)
      await until('every node is at work', () => nodes.every(isAtWork))
      expect(await Promise.all(nodes.map(stop))).toEqual(nodes.map(() => 0))
    }
    console.log(`consumers of a topic of three partitions, log over the network: ${rates.join('; ')}`)
  })
})
