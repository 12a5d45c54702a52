import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openProcessLock } from '../../infra/sqlite/process-lock.ts'
import { startReactions } from '../../src/app/leaders.ts'
import type { System } from '../../src/app/system.ts'
import { askCommand } from '../../src/cli/ask-command.ts'
import type { RecordedEvent } from '../../src/domain/kernel/event.ts'
import { isLeaderEvent, type LockMark } from '../../src/domain/kernel/leader-lease.ts'
import { wishesIn } from '../app/wishes.ts'
import { buildTree, flipByte, writeContent } from './archive.ts'
import { openHome } from './open-home.ts'
import {
  addsUp,
  ask,
  type Line,
  type Started,
  start,
  startServer,
  stop,
  until,
  useFolder,
} from './run-fonds.ts'

/* Roles in processes of their own, and what happens when the one that has a duty is killed or put to sleep. */

const quick = { FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' }

const startRole = async (
  given: { home: string },
  roles: string,
  ...args: readonly string[]
): Promise<Started> => {
  const started = start(['start', '--roles', roles, ...args], { ...given, env: quick })
  await started.says(/Ctrl-C stops/)
  return started
}

/** The home from inside, to look. */
const look = async (home: string): Promise<System> => {
  const system = await openHome(home)
  onTestFinished(() => system.close())
  return system
}
const everyEvent = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.readAll(-1n, {}, 1_000_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}
const facts = async (system: System) => (await everyEvent(system)).filter((event) => !isLeaderEvent(event))

/** Positions on the event topics by stream, in the order in which they stand there. */
const relayed = async ({ broker }: System): Promise<ReadonlyMap<string, readonly number[]>> => {
  const topics = await broker.topics()()
  if (isLeft(topics)) throw new Error('the topics cannot be read')
  const records = []
  for (const { name, offsets } of topics.right.filter(({ name }) => name.endsWith('.events')))
    for (const { partition } of offsets) {
      const peeked = await broker.peek(name, partition, 0n, 1_000_000)()
      if (isLeft(peeked)) throw new Error('the records cannot be read')
      records.push(...peeked.right)
    }
  const streams = new Map<string, number[]>()
  for (const { key, headers } of records)
    streams.set(key!, [...(streams.get(key!) ?? []), Number(headers.fonds_position)])
  return streams
}

/** What a consumer sees that drops positions it has seen: all of the log, each stream in order. */
const expectRelayed = async (system: System): Promise<void> => {
  const events = await facts(system)
  const wanted = new Map(
    [...Map.groupBy(events, ({ stream }) => stream)].map(([stream, life]) => [
      stream,
      life.map(({ position }) => Number(position)),
    ]),
  )
  const count = async () => [...(await relayed(system)).values()].reduce((sum, { length }) => sum + length, 0)
  await until('every event is on its topic', async () => (await count()) >= events.length)
  const seen = [...(await relayed(system))].map(
    ([stream, positions]) =>
      [
        stream,
        positions.filter((position, i) => positions.slice(0, i).every((one) => one < position)),
      ] as const,
  )
  expect(new Map(seen)).toEqual(wanted)
}

/** The latest events on a duty, the oldest first. */
const dutyEvents = async ({ eventStore }: System, duty: string): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.read(`duty-${duty}`, 'start', 'forward', 100)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right
}
/** Was each term begun no earlier than the one before was over by its deadline? */
const expectWaitedFor = async (system: System, duty: string): Promise<void> => {
  const events = await dutyEvents(system, duty)
  for (const [i, { type, recordedAt, data }] of events.entries()) {
    const before = events[i - 1]
    if (type !== 'DutyTaken' || before === undefined || before.type === 'DutyLeft') continue
    const { deadline, holder } = before.data as { deadline: string; holder: string }
    // Who lost it and has it again waits for nobody.
    if ((data as { holder: string }).holder === holder) continue
    expect(recordedAt >= deadline, `${recordedAt}, ${deadline}`).toBe(true)
  }
}
const lockOf = async (system: System, duty: string): Promise<LockMark> => {
  const [first] = await dutyEvents(system, duty)
  return (first!.data as { lock: LockMark }).lock
}

/** Who has a duty, or had it last: its stream is cut to the latest events. */
const holderOf = async ({ eventStore }: System, duty: string): Promise<string | undefined> => {
  const last = await eventStore.read(`duty-${duty}`, 'end', 'backward', 1)()
  if (isLeft(last)) throw new Error(JSON.stringify(last.left))
  return (last.right[0]?.data as { holder: string } | undefined)?.holder
}
/** By somebody else than the one who had it. */
const untilTaken = (system: System, duty: string, before?: string): Promise<string> =>
  until(`${duty} is taken, and not by ${before}`, async () => {
    const now = await holderOf(system, duty)
    return now !== before && now
  })
const allTaken = (system: System, duties: readonly string[], before: readonly string[] = []) =>
  Promise.all(duties.map((duty, i) => untilTaken(system, duty, before[i])))

it('five processes, each with its own roles, do what one does', async () => {
  const { home, root } = useFolder()
  const paths = buildTree(root, 60)
  const given = { home }
  const server = await startServer({ home, env: quick }, ['--roles', 'api'])
  const parts = await Promise.all(
    ['processors,projections', 'reactions', 'workers', 'relay'].map((roles) => startRole(given, roles)),
  )
  await ask(['fixity', 'add', root, '--store', 'main'], given)
  const check = (command: string, input: Line) =>
    fetch(`${server.address}/api/v1/commands/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input, actor: 'r.vermeer', reason: 'a test' }),
    })
  const good = ({ verified = 0, baselined = 0 }: Readonly<Record<string, number>>) => verified + baselined
  const states = async (): Promise<Readonly<Record<string, number>>> => {
    const asked = await fetch(`${server.address}/api/v1/views/fixity-items?limit=1000`)
    const { rows } = (await asked.json()) as Line
    return Object.fromEntries(
      [...Map.groupBy(rows as Line[], ({ state }) => state)].map(([state, some]) => [state, some.length]),
    )
  }
  expect((await check('fixity.check-store', { store: 'main' })).status).toBe(200)
  await until('all are as at their first reading', async () => good(await states()) === paths.length)
  flipByte(join(root, paths[0]!))
  expect((await check('fixity.check', { store: 'main', path: paths[0] })).status).toBe(200)
  await until('the damage is found', async () => (await states()).failed === 1)
  const last = await states()
  expect(last.failed).toBe(1)
  expect(good(last)).toBe(paths.length - 1)

  const report = await ask(['fixity', 'report'], given)
  expect(report.every(addsUp)).toBe(true)
  const verdicts = await ask(['rebuild', '--all', '--verify'], given)
  expect(verdicts.every(({ verdict }) => verdict === 'equal')).toBe(true)
  await expectRelayed(await look(home))
  for (const part of [...parts, server]) {
    expect(await stop(part), part.stderr()).toBe(0)
    expect(part.stderr()).not.toContain('"level":50')
  }
})

/** Each cause had an effect in a stream once. */
const expectNothingTwice = async (system: System): Promise<void> => {
  for (const [stream, life] of Map.groupBy(await facts(system), (event) => event.stream)) {
    const effects = life.map(({ type, metadata }) => `${type} by ${metadata.causationId}`)
    expect(new Set(effects).size, stream).toBe(effects.length)
  }
}

const followers = 'reactions,projections,relay'

/** One has the duties, two waits beside it, and a check of twenty files was just asked for. */
const withMuchToDo = async (dutySeconds: string) => {
  const { home, root } = useFolder()
  const given = { home }
  for (let i = 0; i < 20; i++) writeContent(root, `${i}.txt`, `${i}`)
  const system = await look(home)
  const one = await startRole(given, followers, '--duty-seconds', dutySeconds)
  const duties = ['reactions', 'relay']
  const first = await allTaken(system, duties)
  const two = await startRole(given, followers, '--duty-seconds', dutySeconds)
  await ask(['fixity', 'add', root, '--store', 'main'], given)
  const by = { actor: 'ada', reason: 'a test' }
  await askCommand(system, 'fixity.check-store', { store: 'main' }, by)
  return { system, one, two, duties, first, by }
}

const kill = async ({ child, exit }: Started): Promise<void> => {
  child.kill('SIGKILL')
  await exit
}

it('who has the duties is killed: another takes over, and nothing is lost or done twice', async () => {
  const { system, one, two, duties, first } = await withMuchToDo('2')
  await kill(one)
  await allTaken(system, duties, first)
  const wishes = async () => wishesIn(await facts(system))
  await until('each file was asked for', async () => (await wishes()).length === 20)
  await expectRelayed(system)
  expect(await stop(two), two.stderr()).toBe(0)
  await expectNothingTwice(system)
})

const anHour = ['--duty-seconds', '3600']

it('who has the duties is killed and started again: it has them at once, though their leases last an hour', async () => {
  const given = useFolder()
  const system = await look(given.home)
  const one = await startRole(given, 'reactions,relay', ...anHour)
  const first = await allTaken(system, ['reactions', 'relay'])
  await kill(one)
  const two = await startRole(given, 'reactions,relay', ...anHour)
  await allTaken(system, ['reactions', 'relay'], first)
  expect(await stop(two)).toBe(0)
})

it('who waits beside the one that is killed has the duty within a moment', async () => {
  const given = useFolder()
  const system = await look(given.home)
  const one = await startRole(given, 'reactions', ...anHour)
  const first = await untilTaken(system, 'reactions')
  const two = await startRole(given, 'reactions', ...anHour)
  await kill(one)
  await untilTaken(system, 'reactions', first)
  expect(await stop(two)).toBe(0)
})

it('a lock file that was removed proves nothing: the lease is waited for', async () => {
  const given = useFolder()
  const system = await look(given.home)
  const one = await startRole(given, 'reactions', '--duty-seconds', '3')
  const first = await untilTaken(system, 'reactions')
  await kill(one)
  rmSync((await lockOf(system, 'reactions')).file)
  const two = await startRole(given, 'reactions', '--duty-seconds', '3')
  await untilTaken(system, 'reactions', first)
  await expectWaitedFor(system, 'reactions')
  expect(await stop(two)).toBe(0)
})

it('two containers with one host name: one does not know that the other was killed, and waits', async () => {
  const given = useFolder()
  const system = await look(given.home)
  const one = await startRole(given, 'reactions', '--duty-seconds', '3')
  const first = await untilTaken(system, 'reactions')
  await kill(one)
  const processLock = openProcessLock(join(given.home, 'locks'), { bootId: 'of another machine' })
  const two = startReactions({ ...system, processLock })
  onTestFinished(() => two.stop())
  await untilTaken(system, 'reactions', first)
  await expectWaitedFor(system, 'reactions')
})

it('who slept past its deadline finds the duty taken, waits for it, and does nothing twice', async () => {
  const { system, one, two, duties, first, by } = await withMuchToDo('3')
  one.child.kill('SIGSTOP')
  const second = await allTaken(system, duties, first)
  // It lives: its lock is no proof against it.
  for (const duty of duties) await expectWaitedFor(system, duty)
  one.child.kill('SIGCONT')
  await one.says('the leader lease is lost')
  await askCommand(system, 'fixity.check-store', { store: 'main' }, by)
  await until('each file was asked for', async () => {
    return new Set(wishesIn(await facts(system))).size === 20
  })
  await expectRelayed(system)
  expect(await stop(two), two.stderr()).toBe(0)
  expect(await allTaken(system, duties, second)).toEqual(first)
  expect(await stop(one), one.stderr()).toBe(0)
  await expectNothingTwice(system)
})
