import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openKafkaBroker } from '../../../infra/broker/kafka/broker.ts'
import { readiness } from '../../../src/api/readiness.ts'
import { startRoles } from '../../../src/app/roles.ts'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { askCommand } from '../../../src/cli/ask-command.ts'
import { contentTopic, indexTopic, observationsTopic } from '../../../src/domain/fixity/messages.ts'
import { groupOf } from '../../../src/processors/runtime/processor.ts'
import { endOf, orThrow } from '../../contracts/broker/fixture.ts'
import { type Acknowledged, everything, expectEffects, expectSoundLog } from '../../e2e/crash/expectations.ts'
import { messageOf } from '../../e2e/crash/traffic.ts'
import { openHome } from '../../e2e/open-home.ts'
import { run, start, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import { areHandled, registerStores, type Settings, useLogKeeper } from './cluster.ts'

/* Two logs must not share a Kafka: what is handled for the one is missing in the other. */

const kafka = server('kafka')
const address = 'address' in kafka ? kafka.address : ''
const partitions = 4
const parts = ['processors', 'projections'] as const
const refusal = /FONDS_EVENT_STORE.*FONDS_TOPIC_PREFIX.*FONDS_BROKER.*fonds do kafka\.bind-groups/s

const useTopics = () => ({ broker: `kafka://${address}`, topicPrefix: `${uuid()}-`, partitions })

/** As one process sees it; another log than others' where it has another home and no server. */
const open = async (settings: Settings, home = useFolder().home): Promise<System> => {
  const system = await openHome(home, { logLevel: 'silent', ...settings }, { sessionMillis: 6000 })
  onTestFinished(() => system.close())
  return system
}

const work = async (system: System) => {
  const running = await startRoles(system, parts)
  onTestFinished(() => running.stop())
  return running
}

/** A home with a log of its own that knows the stores. */
const useLog = async (settings: Settings, home = useFolder().home): Promise<string> => {
  const system = await open(settings, home)
  await ensureTopics(system)
  await registerStores(system)
  await system.close()
  return home
}

const send = async ({ broker }: System, from: number, to: number, acknowledged: Acknowledged = new Map()) => {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i)
  const placed = await orThrow(broker.produce(numbers.map((n) => messageOf(n).record)))
  for (const [i, { topic, partition, offset }] of placed.entries())
    acknowledged.set(numbers[i]!, new Set([`${topic}/${partition}/${offset}`]))
  return acknowledged
}

const fromMessages = async (system: System) =>
  (await everything(system)).filter(({ metadata }) => metadata.origin !== undefined)

const copyLog = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const end of ['', '-wal', '-shm']) {
    rmSync(join(to, `fonds.db${end}`), { force: true })
    if (existsSync(join(from, `fonds.db${end}`)))
      copyFileSync(join(from, `fonds.db${end}`), join(to, `fonds.db${end}`))
  }
}

const environment = ({ broker, topicPrefix }: ReturnType<typeof useTopics>) => ({
  FONDS_BROKER: broker,
  FONDS_TOPIC_PREFIX: topicPrefix,
  FONDS_PARTITIONS: `${partitions}`,
})

describe.skipIf('absent' in kafka)('a consumer group works for one log', () => {
  it('two nodes, each with a log of its own, join at once: one works, the other refuses and handles nothing', async () => {
    const settings = useTopics()
    const homes = [await useLog(settings), await useLog(settings)]
    const outside = await open(settings)
    const acknowledged = await send(outside, 0, 400)
    const args = ['start', '--roles', 'processors,projections,api', '--port', '0']
    const nodes = homes.map((home) => start(args, { home, env: environment(settings) }))
    const loser = await Promise.race(nodes.map(({ exit }, i) => exit.then(() => i)))
    expect(await nodes[loser]!.exit).toBe(1)
    expect(nodes[loser]!.stderr()).toMatch(refusal)
    const winner = nodes[1 - loser]!
    const [, at] = await winner.says(/Fonds is at (http\S+)/)
    await until('all are handled', () => areHandled(outside))
    await until('ready', async () => (await fetch(new URL('/readyz', at))).status === 200)
    expect(await stop(winner)).toBe(0)

    const [lost, won] = [await open(settings, homes[loser]!), await open(settings, homes[1 - loser]!)]
    expect(await fromMessages(lost)).toEqual([])
    const events = await everything(won)
    expectSoundLog(events)
    await expectEffects(won, events, acknowledged, 400)

    const again = start(args, { home: homes[loser]!, env: environment(settings) })
    expect(await again.exit).toBe(1)
    expect(again.stderr()).toMatch(refusal)
    const doctor = await run(['doctor'], { home: homes[loser]!, env: environment(settings) })
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/"check":"groups","status":"fail".*kafka\.bind-groups/)
  })

  it('a copy of the log that went its own way is refused, beside the log at work and after it', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const first = await open(settings, home)
    const running = await startRoles(first, parts)
    await send(first, 0, 50)
    await until('handled', () => areHandled(first))
    await running.stop()
    await first.close()
    const copied = useFolder().home
    copyLog(home, copied)

    const original = await open(settings, home)
    const atWork = await work(original)
    await send(original, 50, 100)
    await until('handled', () => areHandled(original))
    const copy = await open(settings, copied)
    await askCommand(copy, 'research.pause', {}, { actor: 'ada', reason: 'on its own way' })
    await expect(startRoles(copy, parts)).rejects.toThrow(refusal)
    await atWork.stop()
    await expect(startRoles(copy, parts)).rejects.toThrow(GroupOfAnotherLog)
    const acknowledged = await send(original, 100, 150)
    const again = await work(original)
    await until('handled', () => areHandled(original))
    await again.stop()
    expect(acknowledged.size).toBe(50)
    expect((await fromMessages(copy)).length).toBeLessThan((await fromMessages(original)).length)
  })

  it('two equal copies that join at once stop within moments of parting, and are not ready', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const copied = useFolder().home
    copyLog(home, copied)
    const systems = await Promise.all([open(settings, home), open(settings, copied)])
    const running = await Promise.all(systems.map(work))
    await send(systems[0]!, 0, 200)
    await until('both refuse', () => running.every(({ whyBlocked }) => whyBlocked().length > 0))
    expect(running[0]!.whyBlocked()[0]).toMatch(refusal)
    const { behind } = await readiness({
      system: systems[0]!,
      running: running[0]!,
      smallLag: 1000,
    } as unknown as Parameters<typeof readiness>[0])
    expect(behind.join()).toMatch(refusal)
  })

  it('a log put back to an older copy is refused until a person binds the groups: nothing is lost, none twice', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const acknowledged: Acknowledged = new Map()
    const handle = async (from: number, to: number) => {
      const system = await open(settings, home)
      const running = await startRoles(system, parts)
      await send(system, from, to, acknowledged)
      await until('handled', () => areHandled(system))
      await running.stop()
      await system.close()
    }
    const backup = useFolder().home
    await handle(0, 300)
    copyLog(home, backup)
    await handle(300, 900)
    copyLog(backup, home)
    for (const end of ['', '-wal', '-shm']) rmSync(join(home, `views.db${end}`), { force: true })

    const restored = await open(settings, home)
    await expect(startRoles(restored, parts)).rejects.toThrow(/was restored from one/)
    const bound = await run(
      ['do', 'kafka.bind-groups', '--actor', 'ada', '--reason', 'the disk was replaced'],
      { home, env: environment(settings) },
    )
    expect(bound.stderr).toBe('')
    expect(bound.code).toBe(0)
    expect(bound.stdout).toMatch(/GroupsBound/)
    const running = await work(restored)
    await until('handled', () => areHandled(restored))
    await running.stop()
    const events = await everything(restored)
    expectSoundLog(events)
    await expectEffects(restored, events, acknowledged, 900)
    expect(events.find(({ type }) => type === 'GroupsBound')).toMatchObject({
      metadata: { actor: 'ada' },
      data: { reason: 'the disk was replaced' },
    })
  })

  it('a person gives the groups to another log: not while they are in use, then with all messages', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const system = await open(settings, home)
    const running = await work(system)
    const acknowledged = await send(system, 0, 100)
    await until('handled', () => areHandled(system))
    const other = await useLog(settings)
    const bind = () =>
      run(['do', 'kafka.bind-groups', '--actor', 'ada', '--reason', 'mine now'], {
        home: other,
        env: environment(settings),
      })
    const inUse = await bind()
    expect(inUse.code).toBe(1)
    expect(inUse.stderr).toMatch(/has members: stop all processes/)

    await running.stop()
    expect((await bind()).code).toBe(0)
    await expect(startRoles(system, parts)).rejects.toThrow(refusal)
    const taker = await open(settings, other)
    await work(taker)
    await until('handled', () => areHandled(taker))
    await expectEffects(taker, await everything(taker), acknowledged, 100)
  })

  it('a group whose commits say nothing, as of an older version, goes on and is adopted', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const system = await open(settings, home)
    await send(system, 0, 200)
    const older = openKafkaBroker(
      {
        brokers: address.split(','),
        clientId: 'older',
        topicPrefix: settings.topicPrefix,
        replication: -1,
        compression: 'none',
        lingerMillis: 2,
      },
      { sessionMillis: 6000 },
    )
    onTestFinished(() => older.close())
    let seen = 0
    const topics = [contentTopic, indexTopic, observationsTopic].map(({ name }) => name)
    const { group, formerGroup } = groupOf(
      system.workflows
        .flatMap((one) => one.processors(system))
        .find(({ topics }) => topics.some(({ name }) => name === contentTopic.name))!,
    )
    const consumption = await older.consume({ group: formerGroup!, topics }, async (batch) => {
      seen += batch.records.length
      return endOf(batch)
    })
    await until('seen', () => seen === 200)
    await consumption.stop()
    const marksOf = async () =>
      (await orThrow(system.broker.binding!.places(group, formerGroup))).map(({ mark }) => mark?.log)
    expect(new Set(await marksOf())).toEqual(new Set([undefined]))

    const running = await work(system)
    const log = await orThrow(system.eventStore.identity())
    expect(new Set(await marksOf())).toEqual(new Set([log]))
    const other = await open(settings, await useLog(settings))
    await expect(startRoles(other, parts)).rejects.toThrow(refusal)
    await running.stop()
    // What an older version had handled is not handled again.
    expect(await fromMessages(system)).toEqual([])
  })

  it('two logs with names of their own share a Kafka', async () => {
    const [one, two] = [useTopics(), useTopics()]
    const systems = await Promise.all([open(one, await useLog(one)), open(two, await useLog(two))])
    for (const system of systems) await work(system)
    const acknowledged = await Promise.all(systems.map((system) => send(system, 0, 100)))
    for (const [i, system] of systems.entries()) {
      await until('handled', () => areHandled(system))
      await expectEffects(system, await everything(system), acknowledged[i]!, 100)
    }
  })

  it('many nodes share a log that a server keeps; migrate takes the groups along', async () => {
    const settings = useTopics()
    const home = await useLog(settings)
    const keeper = await useLogKeeper()
    const before = await open(settings, home)
    const running = await startRoles(before, parts)
    const acknowledged = await send(before, 0, 100)
    await until('handled', () => areHandled(before))
    const early = await run(['migrate', '--to', keeper.address], { home, env: environment(settings) })
    expect(early.code, early.stderr).toBe(0)
    expect(JSON.parse(early.stdout).groups.bound).toEqual([])
    await running.stop()
    const moved = await run(['migrate', '--to', keeper.address], { home, env: environment(settings) })
    expect(moved.code, moved.stderr).toBe(0)
    expect(JSON.parse(moved.stdout).groups).toMatchObject({ inUse: [], others: [] })
    await expect(startRoles(before, parts)).rejects.toThrow(refusal)

    const nodes = await Promise.all([1, 2, 3].map(() => open({ ...settings, eventStore: keeper.address })))
    await Promise.all(nodes.map(work))
    await send(nodes[0]!, 100, 400, acknowledged)
    await until('handled', () => areHandled(nodes[0]!))
    const events = await everything(nodes[0]!)
    expectSoundLog(events)
    await expectEffects(nodes[0]!, events, acknowledged, 400)
  })
})
