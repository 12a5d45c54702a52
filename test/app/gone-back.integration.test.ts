import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#src/app/config/config.ts'
import { startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import { isLeaderEvent, type LeaderEvent } from '#src/domain/kernel/leader-lease.ts'
import { worksTopic } from '#src/domain/matching/messages.ts'
import { openSystem } from '#src/open-system.ts'
import { rebuild } from '#src/projections/runtime/rebuild.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { produce, registerFolder } from './archive.ts'
import { wishesIn } from './wishes.ts'

/* The log is put back from an older copy, beside views, snapshots and duties that are further. */

interface Log {
  readonly address: string
  readonly file: string
  start(): Promise<void>
  stop(): Promise<void>
}

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonds-gone-back-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const onServer = async (): Promise<Log> => {
  const served = await serve()
  onTestFinished(() => served.dispose())
  return served
}
const inFile = async (): Promise<Log> => {
  const file = join(await newFolder(), 'log.db')
  return { address: `sqlite:${file}`, file, start: async () => {}, stop: async () => {} }
}

const open = async (home: string, { address }: Log): Promise<System> => {
  const config = readConfig({ home, durability: 'normal', logLevel: 'silent', eventStore: address }, {})
  if (isLeft(config)) throw new Error(config.left.join('; '))
  return openSystem(config.right)
}

/** A machine that does all there is to do, while `work` is done. */
const running = async <A>(home: string, log: Log, work: (system: System) => Promise<A>): Promise<A> => {
  const system = await open(home, log)
  try {
    await ensureTopics(system, true)
    const roles = await startRoles(system, ['processors', 'reactions', 'projections', 'relay'])
    try {
      const done = await work(system)
      await waitUntilIdle(system)
      return done
    } finally {
      await roles.stop(0)
    }
  } finally {
    await system.close()
  }
}

const copyOf = async (log: Log): Promise<string> => {
  const copy = join(await newFolder(), 'older.db')
  await log.stop()
  await copyFile(log.file, copy)
  await log.start()
  return copy
}
const putBack = async (log: Log, copy: string) => {
  await log.stop()
  for (const rest of ['-wal', '-shm']) await rm(`${log.file}${rest}`, { force: true })
  await copyFile(copy, log.file)
  await log.start()
}

const everyEvent = async ({ eventStore }: System) =>
  (await orThrow(eventStore.readAll(-1n, {}, 100_000))).events

const checkAll = async (system: System, cause: string) => {
  const command = {
    type: 'RequestStoreCheck',
    store: 'main',
    prefix: '',
    queue: 'high',
    reason: 'a test',
    actor: 'ada',
    at: system.clock.now(),
  } as const
  const envelope = { stream: storeStream('main'), command, causationId: cause, correlationId: cause }
  expect(await system.execute(storeDecider, envelope)).toMatchObject({ right: { kind: 'done' } })
}
const works = (system: System, ...ids: readonly string[]) =>
  reportOnTopic(
    system,
    worksTopic,
    'https://catalogue.example',
    ids.map((id) => ({
      type: 'work.updated',
      data: {
        id,
        source: 'library',
        sourceVersion: 1,
        sourceModifiedAt: '2021-01-01T00:00:00.000Z',
        state: 'visible',
        links: [{ to: 'hub', reason: 'same as' }],
      },
    })),
  )

const expectViewsOfLog = async (system: System) => {
  for (const projection of projectionsOf(system.workflows)) {
    const { name } = projection
    const report = await rebuild(projection, { ...system, verify: true })
    expect([name, report.differences, report.comparedAt !== undefined]).toEqual([name, [], true])
  }
}

/** No duty says that work came further than the log was when it said so. */
const expectNothingTooFar = async (system: System) => {
  for (const event of (await everyEvent(system)).filter(isLeaderEvent))
    for (const [name, position] of Object.entries((event.data as LeaderEvent['data']).positions))
      expect(BigInt(position) < event.position, `${name} at ${position} in ${event.type}`).toBe(true)
}

const relayedIds = async ({ broker }: System): Promise<readonly string[]> => {
  const ids: string[] = []
  const topics = await broker.topics()()
  if (isLeft(topics)) throw new Error('the topics cannot be read')
  for (const { name, offsets } of topics.right.filter(({ name }) => name.endsWith('.events')))
    for (const { partition } of offsets) {
      const peeked = await broker.peek(name, partition, 0n, 100_000)()
      if (isLeft(peeked)) throw new Error('the records cannot be read')
      ids.push(...peeked.right.map(({ headers }) => headers.ce_id!))
    }
  return ids
}

const factsIn = async (system: System) => (await everyEvent(system)).filter((event) => !isLeaderEvent(event))

describe.each([
  ['in a file', inFile],
  ['on a server, spoken to as EventStoreDB', onServer],
])('a log %s', (_, newLog) => {
  it.each([
    ['goes on', 0],
    ['has grown past where the others were', 12],
  ])('goes back and %s: each new event is seen to once, and views are those of the log', async (__, more) => {
    const log = await newLog()
    const [home, another] = [await newFolder(), await newFolder()]
    await running(home, log, async (system) => {
      await registerFolder(system, 'main', '/srv')
      await produce(system, { path: 'a' }, { path: 'b' })
      await works(system, 'x1')
      await waitUntilIdle(system)
      await checkAll(system, 'first')
    })
    const copy = await copyOf(log)
    const lost = await running(home, log, async (system) => {
      await produce(system, { path: 'lost 1' }, { path: 'lost 2' })
      await works(system, 'lost')
      await waitUntilIdle(system)
      await checkAll(system, 'lost')
      await waitUntilIdle(system)
      return (await factsIn(system)).map(({ id }) => id)
    })
    await putBack(log, copy)
    // Another machine, with views of its own, was there first.
    if (more > 0)
      await running(another, log, async (system) => {
        await produce(system, ...Array.from({ length: more }, (___, n) => ({ path: `more ${n}` })))
        await works(system, 'more 1', 'more 2', 'more 3')
        await waitUntilIdle(system)
        await checkAll(system, 'more')
      })

    await running(home, log, async (system) => {
      await produce(system, { path: 'new 1' }, { path: 'new 2' })
      await works(system, 'x2')
      await waitUntilIdle(system)
      await checkAll(system, 'new')
      await waitUntilIdle(system)

      await expectViewsOfLog(system)
      await expectNothingTooFar(system)
      const facts = await factsIn(system)
      const wishes = wishesIn(facts)
      // A file that waits for its check is not asked for again.
      expect(wishes).toHaveLength(2 + more + 2)
      expect(new Set(wishes).size).toBe(wishes.length)
      const graph = facts.filter(({ type }) => type === 'GraphChanged')
      const told = graph.map(({ data }) => JSON.stringify((data as { readonly last: unknown }).last))
      expect(told.at(-1)).toContain('x2')
      expect(new Set(told).size).toBe(told.length)
      // What other systems were told: what is lost, on a broker of its own, and all that is there.
      const relayed = await relayedIds(system)
      const since = facts.filter(({ id }) => !lost.includes(id)).map(({ id }) => id)
      for (const id of since) expect(relayed.filter((one) => one === id)).toEqual([id])
    })
    if (more > 0) await running(another, log, expectViewsOfLog)
  })
})
