import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import { lastFactBehind, positionsOf } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { leaderEvents, leaderStream, reactionsLease } from '../../../src/domain/kernel/leader-lease.ts'
import { graphsTopic, mergedTopic, type WorkUpdated } from '../../../src/domain/matching/messages.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { projectionsOf } from '../../../src/workflows/workflow-model.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { expectGrowing, expectMatched } from '../../e2e/matching/expectations.ts'
import { latest, produce, updates } from '../../e2e/matching/traffic.ts'
import { stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import {
  areAlive,
  areHandled,
  contentOf,
  handledSeconds,
  haveReached,
  isAtWork,
  type Node,
  observe,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

/* The matcher is one of all nodes, the merger is all of them; each node folds views of its own. */

const partitions = 6
const clock = '2026-01-01T00:00:00.000Z'

const kafka = server('kafka')

/** Topics and groups of the test alone, on the Kafka of all. */
const useServers = async () => {
  const keeper = await useLogKeeper()
  const settings = {
    broker: `kafka://${'address' in kafka ? kafka.address : ''}`,
    topicPrefix: `${uuid()}-`,
    eventStore: keeper.address,
    partitions,
  }
  return { settings, system: await observe(settings) }
}

const moment = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Messages have led to facts, these to graphs, these to messages, these to documents, and all views show them. */
const isDone = async (system: System, views: readonly ViewStore[]): Promise<boolean> => {
  if (!(await areHandled(system))) return false
  const head = await lastFactBehind(system, -1n)
  if (head === undefined) return false
  const folded = new Set(projectionsOf(system.workflows).map(({ name }) => name))
  const along = (await positionsOf(system)).filter(({ name }) => !folded.has(name))
  return (
    along.every(({ position }) => position >= head) &&
    views.every((each) => haveReached(system, each, head)) &&
    (await areHandled(system)) &&
    (await lastFactBehind(system, head)) === undefined
  )
}

const expectDone = async (system: System, homes: readonly string[], live: readonly Node[]) => {
  const views = homes.map(viewsOf)
  await until('all is matched and merged', () => areAlive(live) && isDone(system, views), handledSeconds)
  expect(await Promise.all(live.map(stop))).toEqual(live.map(() => 0))
  const events = await everything(system)
  expectSoundLog(events)
  expectGrowing(events)
  const [first, ...others] = views.map(contentOf)
  for (const other of others) expect(other).toEqual(first)
  expect(first!['dead-letters']).toEqual([])
  await expectPublished(system, views[0]!)
  return { events, views }
}

/** A reader that keeps the highest version of each work on the topic has what the views have. */
const expectPublished = async (system: System, views: ViewStore): Promise<void> => {
  const highest = new Map<string, { version: number; document: unknown }>()
  for (const { version, work, document } of await dataOn(system, mergedTopic.name))
    if (version > (highest.get(work)?.version ?? 0)) highest.set(work, { version, document })
  const rows = views.query('matching-merged', {})
  expect(rows.length).toBeGreaterThan(0)
  expect(Object.fromEntries(highest)).toEqual(
    Object.fromEntries(rows.map(({ work, version, document }) => [work, { version, document }])),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the data of whatever topic
const dataOn = async (system: System, topic: string): Promise<readonly any[]> => {
  const data = []
  for (let partition = 0; partition < partitions; partition++) {
    const records = await system.broker.peek(topic, partition, 0n, 1_000_000)()
    if (isLeft(records)) throw new Error(JSON.stringify(records.left))
    data.push(...records.right.map(({ value }) => JSON.parse(String(value))))
  }
  return data
}

/** The node that matches now. */
const onDuty = async ({ eventStore }: System, nodes: readonly Node[]): Promise<Node | undefined> => {
  const read = await eventStore.read(leaderStream(reactionsLease), 'end', 'backward', 1)()
  const last = isLeft(read) ? undefined : read.right[0]
  const event = last && leaderEvents.read(last)
  if (!event || isLeft(event) || event.right.type === 'DutyLeft') return undefined
  const { holder } = event.right.data
  return nodes.find(({ child }) => holder.includes(`/${child.pid}/`))
}

describe.skipIf('absent' in kafka)('matching on Kafka and a log that another process keeps', () => {
  it('M9, M10: three nodes, killed at random: every node has what a fresh run has, and so have readers', async () => {
    const { seed, chance } = useSeed()
    const { settings, system } = await useServers()
    const homes = Array.from({ length: 3 }, () => useFolder().home)
    const live = homes.map((home) => startNode(home, settings))
    await until('all nodes at work', () => live.every(isAtWork))

    const rounds = roundsOr(2, 4)
    const perRound = 400
    const sent = updates(chance, 80, rounds * perRound)
    for (let round = 0; round < rounds; round++) {
      await produce(system, sent.slice(round * perRound, (round + 1) * perRound))
      await moment(chance() * 2000)
      // Whoever matches, every other time.
      const matching = round % 2 ? await onDuty(system, live) : undefined
      const victim = matching ? live.indexOf(matching) : Math.floor(chance() * live.length)
      live[victim]!.child.kill('SIGKILL')
      await live[victim]!.exit
      live[victim] = startNode(homes[victim]!, settings)
    }

    const { events, views } = await expectDone(system, homes, live)
    console.log(`${events.length} events of ${sent.length} updates`)
    for (const each of views) expectMatched(each, latest(sent))
    tellFigures(seed, { kills: rounds, acknowledged: sent.length })
  })

  it('Old process wakes after fail-over: nothing is lost, published twice or out of order', async () => {
    const { chance } = useSeed()
    const { settings, system } = await useServers()
    const homes = Array.from({ length: 2 }, () => useFolder().home)
    const live = homes.map((home) => startNode(home, settings))
    await until('all nodes at work', () => live.every(isAtWork))

    const sent: WorkUpdated[] = []
    const traffic = updates(chance, 60, 800)
    for (let round = 0; round < 2; round++) {
      const some = traffic.slice(round * 400, (round + 1) * 400)
      sent.push(...some)
      await produce(system, some.slice(0, 200))
      const sleeper = await until('somebody is on duty', () => onDuty(system, live))
      await moment(chance() * 500)
      sleeper.child.kill('SIGSTOP')
      await produce(system, some.slice(200))
      await until('another took over', async () => {
        const other = await onDuty(system, live)
        return other && other !== sleeper
      })
      sleeper.child.kill('SIGCONT')
    }

    const { views } = await expectDone(system, homes, live)
    for (const each of views) expectMatched(each, latest(sent))
  })

  it('a component of 5,000 works, and one of the longest ids: in pieces that the log and the topics take', async () => {
    const { settings, system } = await useServers()
    const home = useFolder().home
    const hub = (letter: string, count: number, length: number): WorkUpdated[] =>
      Array.from({ length: count }, (_, i) => ({
        id: name(letter, i, length),
        source: 'library',
        sourceVersion: 1,
        sourceModifiedAt: clock,
        state: 'visible',
        links: i === 0 ? [] : [{ to: name(letter, 0, length), reason: 'part of' }],
      }))
    const sent = [...hub('a', 5000, 6), ...hub('ß', 200, 2000)]
    await produce(system, sent)
    // All facts are there before the matcher begins: it publishes them in few changes.
    const intake = startNode(home, settings, 'processors')
    await until('all are facts', () => areHandled(system))
    await until('the intake is at work', () => isAtWork(intake))
    expect(await stop(intake)).toBe(0)
    const node = startNode(home, settings)
    await until('the node is at work', () => isAtWork(node))

    const { events, views } = await expectDone(system, [home], [node])
    console.log(`${events.length} events`)
    expectMatched(views[0]!, latest(sent))
    const largest = (await dataOn(system, graphsTopic.name)).map((data) =>
      Buffer.byteLength(JSON.stringify(data)),
    )
    expect(Math.max(...largest)).toBeLessThan(512 * 1024)
    // Several of the longest ids, of 4,000 bytes: an event keeps with each work why it moved, a link of two more.
    expect(Math.max(...largest)).toBeGreaterThan(8 * 4000)
  })
})

const name = (letter: string, number: number, length: number): string => `${number}`.padStart(length, letter)
