import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { askCommand } from '../../../src/cli/fixity/ask.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { projectionsOf, type System } from '../../../src/system/system.ts'
import { ensureTopics } from '../../../src/system/topics.ts'
import { writeContent } from '../archive.ts'
import { openHome } from '../open-home.ts'
import { addsUp, ask, launch, type Started, start, stop, until, useFolder } from '../run-fonds.ts'
import { fileName, files, messageOf, messagesInAll } from './traffic.ts'

/*
 * Processes are killed at random moments, in the middle of whatever they do. Afterwards every message that was
 * acknowledged must have had its effect, once.
 */

const rounds = 8

/** The same numbers for the same seed (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Where each message was acknowledged to be: more than one place where it was sent again. */
type Acknowledged = Map<number, Set<string>>

const readAcknowledged = (producer: Started, acknowledged: Acknowledged): void => {
  for (const line of producer.stdout().split('\n').slice(0, -1)) {
    const [n, place] = line.split(/ (.*)/s) as [string, string]
    acknowledged.set(Number(n), (acknowledged.get(Number(n)) ?? new Set()).add(place))
  }
}

it('killed at any moment: every acknowledged message has its effect once, in order, and the views are what the log says', {
  timeout: 240_000,
}, async () => {
  const seed = Number(process.env.FONDS_TEST_SEED ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}: FONDS_TEST_SEED=${seed} repeats the moments`)
  const chance = random(seed)
  const { home, root } = useFolder()
  for (let n = 0; n < files; n++) writeContent(root, fileName(n), fileName(n))
  const system = await openHome(home)
  await ensureTopics(system)
  const by = { actor: 'test', reason: 'test' }
  for (const store of [
    { store: 'folder', root },
    { store: 'elsewhere', kind: 'external' },
  ])
    await askCommand(system, 'fixity.register-store', { ...store, lagSeconds: 0 }, by)

  const acknowledged: Acknowledged = new Map()
  const work = () => launch(process.execPath, [join(import.meta.dirname, 'at-work.ts'), home])
  const produce = (from: number) =>
    launch(process.execPath, [join(import.meta.dirname, 'producing.ts'), home, String(from)])

  let producer = produce(0)
  const workers = [work()]
  for (let round = 1; round <= rounds; round++) {
    // Now one process at work, now two.
    if (chance() < 0.4) workers.push(work())
    // Mostly at work, sometimes while it starts.
    if (chance() < 0.8) await until('work', () => workers.some((one) => one.stderr().includes('at work')))
    await new Promise((resolve) => setTimeout(resolve, 200 + chance() * 2500))
    const victims = workers.splice(0, chance() < 0.5 ? workers.length : 1)
    const alsoProducer = round % 2 === 0
    for (const victim of alsoProducer ? [...victims, producer] : victims) victim.child.kill('SIGKILL')
    await Promise.all(victims.map(({ exit }) => exit))
    if (alsoProducer) {
      await producer.exit
      readAcknowledged(producer, acknowledged)
      const from = acknowledged.size === 0 ? 0 : Math.max(...acknowledged.keys()) + 1
      producer = produce(Math.max(0, from - Math.ceil(chance() * 200)))
    }
    if (workers.length === 0) workers.push(work())
    // Reactions get something to be killed in: each item below the prefix is asked for.
    if (round % 3 === 0)
      await askCommand(system, 'fixity.check-store', { store: 'folder', prefix: 'box 1' }, by)
  }
  expect(await producer.exit).toBe(0)
  readAcknowledged(producer, acknowledged)
  for (const { child } of workers) child.kill('SIGKILL')

  const server = start(['start', '--roles', 'processors,reactions,projections,workers'], {
    home,
    env: { FONDS_CLAIM_SECONDS: '3', FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' },
  })
  await until('everything is handled', () => isSettled(system), 120)
  expect(await stop(server)).toBe(0)
  expect(server.stderr()).not.toContain('"level":50')

  const events = await everything(system)
  const again = [...acknowledged.values()].filter(({ size }) => size > 1).length
  const expired = events.filter(({ type }) => type === 'ClaimExpired').length
  console.log(`${events.length} events; ${again} messages sent again; ${expired} claims of killed workers`)
  expect(again).toBeGreaterThan(0)
  expectSoundLog(events)
  await expectEffects(system, events, acknowledged)
  expectOrder(events)
  await expectViews(system, home)
  await system.close()
})

/** Nothing waits: no message, no view, no check that is due, no claim. */
const isSettled = async ({ broker, eventStore, viewStore, workflows, clock }: System): Promise<boolean> => {
  const groups = await broker.groups()()
  const head = await eventStore.head()()
  if (isLeft(groups) || isLeft(head)) return false
  const waiting = groups.right.flatMap(({ partitions }) => partitions).some(({ lag }) => lag > 0n)
  const behind = projectionsOf(workflows).some(({ name }) => {
    const live = viewStore.live(name)
    return !live || viewStore.checkpoint(live).position < head.right
  })
  if (waiting || behind || viewStore.query('fixity-claims', { limit: 1 }).length > 0) return false
  const due = { column: 'available', is: '<=', value: clock.now() } as const
  const ours = { column: 'store', is: '=', value: 'folder' } as const
  return viewStore.query('fixity-items', { where: [ours, due], limit: 1 }).length === 0
}

const everything = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const batch = await eventStore.readAll(after, {}, 5000)()
    if (isLeft(batch)) throw new Error(batch.left.reason)
    events.push(...batch.right.events)
    if (batch.right.caughtUp) return events
    after = batch.right.position
  }
}

/** Revisions are dense, positions and times never fall, no id comes twice; a cause has its say in a stream once. */
const expectSoundLog = (events: readonly RecordedEvent[]): void => {
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  const next = new Map<string, bigint>()
  let [position, time] = [-1n, '']
  for (const event of events) {
    expect(event.revision).toBe(next.get(event.stream) ?? 0n)
    next.set(event.stream, event.revision + 1n)
    expect(event.position > position && event.recordedAt >= time).toBe(true)
    ;[position, time] = [event.position, event.recordedAt]
  }
  for (const [stream, life] of Map.groupBy(events, (event) => event.stream)) {
    const causes = life.map(({ metadata }) => metadata.causationId)
    const turns = causes.filter((cause, i) => cause !== causes[i - 1])
    expect(new Set(turns).size, stream).toBe(turns.length)
  }
}

const expectEffects = async (
  system: System,
  events: readonly RecordedEvent[],
  acknowledged: Acknowledged,
): Promise<void> => {
  const byCause = Map.groupBy(events, ({ metadata }) => metadata.causationId)
  const letters = new Map<string, number>()
  for (const { type, data } of events)
    if (type === 'DeadLettered') {
      const { topic, partition, offset } = data as { topic: string; partition: number; offset: string }
      const place = `${topic}/${partition}/${offset}`
      letters.set(place, (letters.get(place) ?? 0) + 1)
    }
  const places = [...acknowledged.values()].flatMap((each) => [...each])
  expect(new Set(places).size).toBe(places.length)

  const wrong: unknown[] = []
  for (let n = 0; n < messagesInAll; n++) {
    const put = acknowledged.get(n)
    const { cause, expected } = messageOf(n)
    const effects = byCause.get(cause) ?? []
    const says = effects.map(({ type, stream }) => `${type} in ${stream}`)
    if (!put) wrong.push(`${n} was never acknowledged`)
    else if (expected.kind === 'dead') {
      for (const place of put)
        if (letters.get(place) !== 1) wrong.push({ n, place, letters: letters.get(place) })
    } else {
      const main = expected.kind === 'effect' ? expected.type : 'MessageRejected'
      const streams = new Set(effects.map(({ stream }) => stream))
      const inPlace = expected.kind === 'rejected' || streams.has(expected.stream)
      if (effects.filter(({ type }) => type === main).length !== 1 || streams.size !== 1 || !inPlace)
        wrong.push({ n, expected, says })
    }
  }
  expect(wrong).toEqual([])
  // Nobody else's messages were bad.
  expect([...letters.values()].every((count) => count === 1)).toBe(true)
  expect(system.viewStore.tally('dead-letters', { by: [] })[0]?.count).toBe(letters.size)
}

/** Messages of one key came to their stream in the order in which they were sent. */
const expectOrder = (events: readonly RecordedEvent[]): void => {
  for (const type of ['ContentRecorded', 'IndexRecorded']) {
    const told = events.filter((event) => event.type === type && event.stream.startsWith('fixity-elsewhere/'))
    for (const [stream, life] of Map.groupBy(told, (event) => event.stream)) {
      const sizes = life.map(({ data }) => (data as { size: number }).size)
      expect(sizes, stream).toEqual(sizes.toSorted((a, b) => a - b))
    }
  }
}

const expectViews = async (system: System, home: string): Promise<void> => {
  const report = await ask(['fixity', 'report'], { home })
  expect(report.every(addsUp)).toBe(true)
  const folder = report.find(({ store, prefix }) => store === 'folder' && prefix === '(all)')
  // A file whose check was killed three times waits for a person, as it must.
  expect(folder).toMatchObject({ expected: files, failed: 0, unverified: 0, unchecked: 0, late: 0 })
  expect(folder.verified + folder.parked).toBe(files)
  expect(system.viewStore.query('fixity-claims', {})).toEqual([])
  const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
  expect(verdicts.map(({ verdict, differences }) => ({ verdict, differences }))).toEqual(
    verdicts.map(() => ({ verdict: 'equal', differences: [] })),
  )
}
