import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { System } from '../src/app/system.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { idOf as idOfStream } from '../src/domain/kernel/event.ts'
import { workDecider } from '../src/domain/matching/decide.ts'
import { workEvents } from '../src/domain/matching/events.ts'
import { category as graphCategory, graphEvents } from '../src/domain/matching/graph/events.ts'
import { category, workStream } from '../src/domain/matching/work.ts'
import { matcher } from '../src/processors/matching/matcher.ts'
import { type RunningSubscription, runSubscription } from '../src/processors/runtime/leader-subscription.ts'
import { catalogue, large, largest } from './catalogue.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * The matcher on a whole catalogue: from a log full of works to a log full of graphs; its start; live updates. Beside a
 * bare union-find that reads the same log. `node bench/matching.ts [works]`
 */

const works = Number(process.argv[2] ?? 3_200_000)
const updates = 50_000
const made = catalogue(works)
const { system, home, dispose } = await benchSystem()

const fill = (...more: readonly (string | number)[]) => {
  const script = join(import.meta.dirname, 'matching-log.ts')
  const args = ['--disable-warning=ExperimentalWarning', script, home, works, ...more].map(String)
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('the log could not be filled')
}

const start = (): RunningSubscription =>
  runSubscription(matcher(system), { ...system, term: { isLeader: () => true, positions: {} } })

/** Seconds until all that is in the log now has come into a graph. */
const seconds = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const reached = async (following: RunningSubscription, { eventStore }: System): Promise<void> => {
  const head = await orThrow(eventStore.head())
  while (following.position() < head) await new Promise((resolve) => setImmediate(resolve))
}

fill()
const first = start()
const indexing = await seconds(() => reached(first, system))
const memory = process.resourceUsage().maxRSS / 1024
await first.stop()
expectSame('works in graphs', await matched(), works)

// It is at work when it has told of the first update.
fill(1)
const live = start()
const starting = await seconds(() => reached(live, system))
fill(updates)
const updating = await seconds(() => reached(live, system))

const one = await latencies(large)
const huge = made.membersOf(largest).length > 0 ? await latencies(largest) : undefined
await live.stop()

let seen = 0
const bare = await seconds(async () => {
  seen = await unionFind()
})
expectSame('works of the union-find', seen, works)
printTable(`${works.toLocaleString('en')} works`, [
  {
    what: 'a full index, beside a bare union-find that reads the log',
    ours: works / indexing,
    beside: 'union-find over the log',
    theirs: works / bare,
    unit: 'works/s',
  },
])

const say = (what: string, value: number, unit: string, promise: number, isBetter: boolean) =>
  console.log(
    `${what.padEnd(56)} ${value.toLocaleString('en', { maximumFractionDigits: 1 }).padStart(10)} ${unit.padEnd(9)} ` +
      `promised ${promise.toLocaleString('en')} ${isBetter ? 'kept' : 'MISSED'}`,
  )
say('full index', works / indexing, 'works/s', 50_000, works / indexing >= 50_000)
say('most resident memory, with the index built', memory, 'MiB', 2048, memory < 2048)
say('start with a built graph', starting, 's', 10, starting < 10)
say('live, components of ten', updates / updating, 'updates/s', 5000, updates / updating >= 5000)
say(`an update in a component of ${large}, event to change`, one, 'ms', 5, one < 5)
if (huge !== undefined)
  console.log(`an update in a component of ${largest.toLocaleString('en')}: ${huge.toFixed(0)} ms`)
await dispose()

/** Median milliseconds from the event of an update to the change that tells of it. */
async function latencies(size: number): Promise<number> {
  const [start = 0] = made.membersOf(size)
  const times: number[] = []
  for (let n = 0; n < 31; n++) {
    // Each comes alone: what comes close behind another is read together with what follows.
    await system.clock.sleep(50)
    const { id, links } = made.fact(start + n)
    const at = system.clock.now()
    const facts = {
      source: 'library',
      sourceVersion: 1000 + n,
      sourceModifiedAt: at,
      state: 'visible' as const,
      title: `Work ${id}, ${n}`,
      links: links.map((to) => ({ to, reason: 'same as' })),
    }
    const command = { type: 'Observe' as const, actor: 'bench', at, work: id, ...facts }
    await system.execute(workDecider, {
      stream: workStream(id),
      command,
      causationId: `${size}/${n}`,
      correlationId: 'bench',
    })
    const head = await orThrow(system.eventStore.head())
    const began = performance.now()
    while (live.position() < head) await new Promise((resolve) => setImmediate(resolve))
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!
}

/** Works that stand in a component of the log. */
async function matched(): Promise<number> {
  const members = new Set<string>()
  for (let after = -1n; ; ) {
    const batch = await orThrow(system.eventStore.readAll(after, { categories: [graphCategory] }, 1000))
    for (const event of batch.events) {
      const read = graphEvents.read(event)
      if (read._tag === 'Left' || read.right.type !== 'GraphChanged') continue
      for (const group of read.right.data.groups) for (const [id] of group.members) members.add(id)
    }
    if (batch.caughtUp) return members.size
    after = batch.position
  }
}

/** What any matcher must do at least: read every fact, and join. It knows no members and cannot part. */
async function unionFind(): Promise<number> {
  const joined = new Set<string>()
  const numbers = new Map<string, number>()
  const parent: number[] = []
  const number = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, parent.length)
    return parent.push(parent.length) - 1
  }
  const find = (node: number): number => {
    let root = node
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }
  for (let after = -1n; ; ) {
    const batch = await orThrow(system.eventStore.readAll(after, { categories: [category] }, 10_000))
    for (const event of batch.events) {
      const read = workEvents.read(event)
      if (read._tag === 'Left' || read.right.type !== 'WorkObserved') continue
      const id = idOfStream(event.stream)
      joined.add(id)
      const node = number(id)
      for (const { to } of read.right.data.links) {
        const [a, b] = [find(node), find(number(to))]
        if (a !== b) parent[b] = a
      }
    }
    if (batch.caughtUp) return joined.size
    after = batch.position
  }
}
