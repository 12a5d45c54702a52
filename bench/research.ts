import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { startRoles } from '../src/app/roles.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import type { Command, Decider } from '../src/domain/kernel/decider.ts'
import type { DomainEvent } from '../src/domain/kernel/event.ts'
import type { Rejection } from '../src/domain/kernel/rejection.ts'
import { clipDecider } from '../src/domain/research/clip/decide.ts'
import { episodeDecider } from '../src/domain/research/episode/decide.ts'
import { policyDecider } from '../src/domain/research/policy/decide.ts'
import { researcherDecider } from '../src/domain/research/researcher/decide.ts'
import { clipStream, episodeStream, policyStream, researcherStream } from '../src/domain/research/terms.ts'
import { workItemsTopic } from '../src/domain/research/work-item.ts'
import type { BatchHandler } from '../src/ports/broker.ts'
import { cpuByPart, type Parts } from './cpu-by-part.ts'
import { benchSystem } from './system.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/*
 * Work handed out by a whole system in one process, as `fonds start` has it: the assigner grants, items go out on their
 * topic, views are folded beside, on a log that syncs every commit. Once as thousands of researchers come who have nothing
 * yet, until the last item has been heard and all views show it; once as thousands take each item as soon as it is there,
 * which costs another event. Beside appends of one event of the same size, one after the other, to the same log. Medians of
 * some rounds; then one round more of the second, to see which part takes how much of the processor.
 * `node bench/research.ts [grants] [rounds]`
 */

const grants = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 5)
const [episodes, clips, researchers] = [4600, 5000, 2000]
const promised = 2000
const { system, home, dispose } = await benchSystem()
const { broker, eventStore, execute, clock } = system
await ensureTopics(system)

const parts: Parts = [
  ['views', /projections\/|infra\/views/],
  ['scheduler state', /research\/selection\//],
  ['item publisher', /item-publisher|item-descriptions|outbox|views-reach/],
  ['topics', /infra\/broker/],
  ['assigner', /assign|granting|choose-leases|capacity-loop|load-scheduler/],
  ['log', /infra\/(event-store|sqlite)/],
  ['deciding', /runtime\/execute|domain\/research\/episode|stream-states/],
  ['takers', /bench\/research/],
]

const give = async <S, C extends Command, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R, unknown>,
  stream: string,
  command: C,
): Promise<void> => {
  const cause = uuid()
  const given = await execute(decider, { stream, command, causationId: cause, correlationId: cause })
  if (isLeft(given) || given.right.kind !== 'done')
    throw new Error(
      `${command.type} on ${stream}: ${JSON.stringify(given, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
    )
}
const by = () => ({ actor: 'bench', at: clock.now() })
const sighting = (id: string) => ({
  ...by(),
  type: 'Curate' as const,
  details: {
    title: `The one they call ${id}`,
    mediaUri: `https://media.example/${id}.mp3`,
    mediaType: 'audio/mpeg',
    curator: 'bench',
  },
  curatedAt: clock.now(),
})
/** Side by side, some thousand at once. */
const all = async (count: number, make: (i: number) => Promise<void>) => {
  for (let from = 0; from < count; from += 1000)
    await Promise.all(Array.from({ length: Math.min(1000, count - from) }, (_, i) => make(from + i)))
}

await all(episodes, (i) => give(episodeDecider, episodeStream(`episode-${i}`), sighting(`episode-${i}`)))
await all(clips, (i) => give(clipDecider, clipStream(`clip-${i}`), sighting(`clip-${i}`)))
const register = (researcher: string) =>
  give(researcherDecider, researcherStream(researcher), {
    ...by(),
    type: 'Register',
    presenceSeconds: 86_400,
  })
await all(researchers, (i) => register(`listener-${i}`))

interface Item {
  readonly stream: string
  readonly lease: string
}
/** On the topic and not taken yet; how many are still to be taken in this round; the last take of each episode. */
const items: Item[] = []
let wanted = 0
/** Items of a round that are yet to be heard of, and what is to happen then. */
let unheard = 0
let heardAll: (() => void) | undefined
const takes = new Map<string, Promise<void>>()
let reached: (() => void) | undefined

/** Whoever waits takes what is there: episodes side by side, the items of one after the other. */
const takeSome = (): void => {
  while (wanted > 0) {
    const item = items.shift()
    if (!item) return
    const { stream, lease } = item
    const researcher = `listener-${wanted-- % researchers}`
    const take = () => give(episodeDecider, stream, { ...by(), type: 'Take', lease, researcher })
    takes.set(stream, (takes.get(stream) ?? Promise.resolve()).then(take))
  }
  reached?.()
}
/** Researchers get their items from the topic; what these do with the rest of one is not our time. */
const hear: BatchHandler = async ({ records }) => {
  for (const { key, headers } of records) items.push({ stream: episodeStream(key!), lease: headers.ce_id! })
  unheard -= records.length
  if (unheard <= 0) heardAll?.()
  takeSome()
  return (records.at(-1)?.offset ?? -1n) + 1n
}
/** Each item that is taken makes room for another one. */
const handOut = async (): Promise<void> => {
  const all = new Promise<void>((resolve) => {
    reached = resolve
  })
  wanted = grants
  takeSome()
  await all
  await Promise.all(takes.values())
  takes.clear()
}
/** The rate of so many as come while nothing is handed out, from when it is again. */
const putOut = async (): Promise<number> => {
  const pause = (type: 'Pause' | 'Resume') =>
    give(policyDecider, policyStream, { ...by(), type, reason: 'a round' })
  await pause('Pause')
  await all(grants, () => register(`comer-${uuid()}`))
  await waitUntilIdle(system)
  return rate(grants, async () => {
    const heard = new Promise<void>((resolve) => {
      heardAll = resolve
    })
    unheard = grants
    await pause('Resume')
    await heard
    await waitUntilIdle(system)
  })
}

/** Of the size of a lease. */
const appendSingly = async (count: number): Promise<void> => {
  const data = { ...by(), lease: uuid(), clips: Array.from({ length: 100 }, (_, i) => `clip-${i}`) }
  const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
  for (let i = 0; i < count; i++) {
    const done = await eventStore.append('bench-bare', 'any', [
      { id: uuid(), type: 'Benched', data, metadata },
    ])()
    if (isLeft(done)) throw new Error(done.left.kind)
  }
}

const running = await startRoles(system, ['processors', 'reactions', 'projections'])
const consumption = await broker.consume({ group: 'bench-listeners', topics: [workItemsTopic.name] }, hear)
await handOut()
const singles = 1000
const [taken, bare] = (await medians(
  rounds,
  () => rate(grants, handOut),
  () => rate(singles, () => appendSingly(singles)),
)) as [number, number]
const cpu = await cpuByPart(parts, handOut)
const [granted] = (await medians(rounds, putOut)) as [number]
await waitUntilIdle(system)
await consumption.stop()
await running.stop()

/** Of all that was done: nobody was faster for doing less. */
const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
const countOf = (type: string): number =>
  Number(db.prepare('SELECT count(*) AS events FROM events WHERE type = ?').get(type)?.events)
const shown = system.viewStore.tally('research-leases', { by: [] })[0]?.count
expectSame('leases in the view', shown, countOf('LeaseGranted'))
expectSame('items taken', countOf('WorkItemTaken'), (rounds + 2) * grants)
expectSame('single appends', countOf('Benched'), rounds * singles)
db.close()

printTable(`${episodes.toLocaleString('en')} episodes × ${clips.toLocaleString('en')} clips`, [
  {
    what: 'leases of 100 clips, granted, sent and shown',
    ours: granted,
    beside: 'single appends, one by one',
    theirs: bare,
    unit: '1/s',
  },
  { what: 'the same, and taken', ours: taken, beside: 'the same', theirs: bare, unit: '1/s' },
])
const whole = [...cpu.values()].reduce((sum, millis) => sum + millis, 0)
for (const [part, millis] of [['together', whole] as const, ...cpu])
  console.log(
    `  ${part.padEnd(20)} ${((millis / grants) * 1000).toFixed(0).padStart(5)} µs of CPU a lease granted and taken`,
  )
console.log(
  `granted ${Math.round(granted).toLocaleString('en')}/s, promised ${promised.toLocaleString('en')}/s: ` +
    `${granted >= promised ? 'kept' : 'MISSED'}`,
)
await dispose()
