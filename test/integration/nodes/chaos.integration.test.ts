import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { groupPositions, lastFactBehind } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { everything, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { tellFigures } from '../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { linesOf, run, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { nginxIsAbsent } from '../nginx.ts'
import { useKafka } from '../own-kafka.ts'
import { fixityTraffic } from './chaos/fixity.ts'
import { indexingTraffic } from './chaos/indexing.ts'
import { ingestTraffic } from './chaos/ingest.ts'
import { matchingTraffic } from './chaos/matching.ts'
import { researchTraffic } from './chaos/research.ts'
import { accountOf, type Traffic } from './chaos/traffic.ts'
import {
  areAlive,
  areHandled,
  contentOf,
  haveReached,
  isAtWork,
  observe,
  startNode,
  useLogKeeper,
  viewsOf,
} from './cluster.ts'

/* All five workflows on two machines, each with a home of its own; they share storage, the work folder and the index. */

const kills = roundsOr(3, 5)
const roles = 'processors,reactions,projections,workers,relay'
/** Shorter than Kafka allows of its own accord: the partitions of a killed node are free again soon. */
const sessionMillis = 3000
/** What waits in one workflow before it is given more. */
const maxOpen = 12
const maxLag = 100

it.skipIf(nginxIsAbsent)(
  'two nodes with a home each are killed again and again, at work in all workflows: nothing is lost, nothing is there twice',
  async ({ skip }) => {
    const { seed, chance } = useSeed()
    const kafka = await useKafka(skip, { 'group.min.session.timeout.ms': '1000' })
    const keeper = await useLogKeeper()
    const { folder, root } = useFolder()
    const shared = {
      ingestStorage: join(folder, 'storage'),
      ingestWork: join(folder, 'work'),
      indexingFolder: join(folder, 'index'),
    }
    const servers = { broker: `kafka://${kafka.address}`, eventStore: keeper.address, partitions: 4 }
    const settings = {
      ...servers,
      ...shared,
      indexingSources: `main=${join(folder, 'crawl')}`,
      indexingPollSeconds: 1,
      indexingGraceSeconds: 1,
      // Damaged files are read again and again: not so often that little else is done.
      indexingRetrySeconds: 15,
      indexingAttempts: 1000,
      claimSeconds: 5,
      // What a killed node had is free at once, by its lock; a busy machine keeps a live one from its duty for seconds.
      dutySeconds: 15,
      idleMinSeconds: 1,
      idleMaxSeconds: 1,
      // Kills are no fault of the work: none is set aside for them.
      maxDeaths: 1000,
    }
    const system = producingPatiently(await observe(settings))
    const research = await researchTraffic(system, servers, join(root, 'sounds'), seed)
    const all: readonly Traffic[] = [
      await fixityTraffic(system, join(root, 'files')),
      matchingTraffic(system, chance),
      await ingestTraffic(system, join(root, 'submissions'), shared.ingestStorage),
      indexingTraffic(folder, shared.indexingFolder, chance),
      research,
    ]
    const homes = [useFolder().home, useFolder().home]
    const start = (home: string) => startNode(home, settings, roles, sessionMillis)
    const live = homes.map(start)
    await until('both are at work', () => live.every(isAtWork))
    const views = homes.map(viewsOf)

    const began = performance.now()
    const over = new AbortController()
    const feeding = feed(system, all, views[0]!, over.signal)
    for (let killed = 0; killed < kills; ) {
      // Mostly at work, sometimes while it starts.
      if (chance() < 0.8) await until('both are at work', () => live.every(isAtWork))
      await setTimeout(chance() * 2000)
      const victims = chance() < 0.15 ? [0, 1] : [chance() < 0.5 ? 0 : 1]
      for (const place of victims) live[place]!.child.kill('SIGKILL')
      for (const place of victims) {
        await live[place]!.exit
        live[place] = start(homes[place]!)
        killed++
      }
    }
    over.abort()
    await feeding
    const seconds = (performance.now() - began) / 1000
    console.log(`${kills} kills in ${Math.round(seconds)} s`)

    await untilNone('everything has come to its end', async () =>
      areAlive(live) ? openIn(system, all, views) : [],
    )
    await research.leave()
    await untilNone('both show the same', async () => (areAlive(live) ? differing(system, views) : []))
    const env = {
      FONDS_BROKER: settings.broker,
      FONDS_EVENT_STORE: settings.eventStore,
      FONDS_INGEST_STORAGE: settings.ingestStorage,
      FONDS_INGEST_WORK: settings.ingestWork,
      FONDS_INDEXING_FOLDER: settings.indexingFolder,
    }
    const doctor = await run(['doctor'], { home: homes[0]!, env })
    expect(linesOf(doctor).filter(({ status }) => status === 'fail')).toEqual([])
    await Promise.all(live.map((node) => node.says(/at work/)))
    expect(await Promise.all(live.map(stop))).toEqual([0, 0])

    const ended = { events: await everything(system), views: views[0]! }
    const accounts = Object.fromEntries(
      await Promise.all(all.map(async (one) => [one.name, accountOf(await one.found(ended))] as const)),
    )
    const sum = (of: 'lost' | 'doubled') =>
      Object.values(accounts).reduce((count, account) => count + account[of].length, 0)
    const acknowledged = all.reduce((count, one) => count + one.acknowledged(), 0)
    const [lost, doubled] = [sum('lost'), sum('doubled')]
    tellFigures(seed, { kills, acknowledged, lost, doubled })
    expect(accounts).toEqual(Object.fromEntries(all.map(({ name }) => [name, { lost: [], doubled: [] }])))
    expectSoundLog(ended.events)
    for (const one of all) await one.expectSound(ended)
    expect(contentOf(views[1]!)).toEqual(contentOf(views[0]!))
  },
)

/** Until it is told that it is over; no workflow gets more than it does. */
const feed = async (system: System, all: readonly Traffic[], views: ViewStore, signal: AbortSignal) => {
  while (!signal.aborted) {
    const positions = await until('the groups are known', () => groupPositions(system).catch(isAway))
    for (const one of all) {
      const lag = positions
        .filter(({ topic }) => topic.startsWith(`fonds.${one.name}.`))
        .reduce((sum, { committed, end }) => sum + Number(end - committed), 0)
      if (lag < maxLag && one.open(views) < maxOpen) await one.feed()
    }
    await setTimeout(500, undefined, { signal }).catch(() => {})
  }
}

/** What has not come to its end, by workflow. */
const openIn = async (
  system: System,
  all: readonly Traffic[],
  views: readonly ViewStore[],
): Promise<readonly string[]> => {
  const open = all.flatMap((one) => views.map((each, node) => ({ one, node, count: one.open(each) })))
  const waiting = (await groupPositions(system)).filter(({ committed, end }) => committed < end)
  return [
    ...open.flatMap(({ one, node, count }) => (count > 0 ? [`${one.name}: ${count} on node ${node}`] : [])),
    ...waiting.map(({ group, partition, committed, end }) => `${group}/${partition}: ${committed} of ${end}`),
  ]
}

/** What is not at rest, or not the same: what the last of them has told, too. */
const differing = async (system: System, views: readonly ViewStore[]): Promise<readonly string[]> => {
  const head = await lastFactBehind(system, -1n)
  if (head === undefined || !(await areHandled(system))) return ['messages wait']
  if (!views.every((each) => haveReached(system, each, head))) return ['views are behind']
  const held = views[0]!.query('research-leases', {}).filter(({ state }) => state !== 'ended').length
  if (held > 0) return [`${held} leases of research`]
  const [first, second] = views.map(contentOf)
  return Object.keys(first!).filter((name) => String(first![name]) !== String(second![name]))
}

/** A careful producer: what was not acknowledged is sent again, as it is. */
const producingPatiently = (system: System): System => ({
  ...system,
  broker: {
    ...system.broker,
    produce: (records) => () =>
      until('the broker takes messages', async () => {
        const placed = await system.broker.produce(records)()
        return isRight(placed) && placed
      }),
  },
})

/** A broker of a busy machine is, for a moment. */
const isAway = (error: unknown): undefined => {
  if (!(error instanceof UnavailableError)) throw error
}

const untilNone = async (what: string, left: () => Promise<readonly string[]>): Promise<void> => {
  let last: readonly string[] = []
  await until(what, async () => {
    last = (await left().catch(isAway)) ?? ['the broker is away']
    return last.length === 0
  }).catch((error: Error) => {
    throw new Error(`${error.message}; left: ${last.join('; ')}`, { cause: error })
  })
}
