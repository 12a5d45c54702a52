import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRoles } from '../src/app/roles.ts'
import { settle } from '../src/app/settle.ts'
import type { System } from '../src/app/system.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { anyRowIn, appendByHand, doneIn, foldByHand } from './raw-pipeline.ts'
import { openHome } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Small messages from topic to view: each stage by itself, then all roles at once, beside the same work by hand, on copies of
 * one topic. `node bench/pipeline.ts [messages]`
 */

const total = Number(process.argv[2] ?? 200_000)
const checksum = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

/** Folder by folder, as archives come. */
const pathOf = (n: number) =>
  `folder-${String(Math.floor(n / 200)).padStart(5, '0')}/file-${String(n).padStart(7, '0')}.tif`

const produceAll = async (system: System) => {
  for (let i = 0; i < total; i += 500) {
    const reports = Array.from({ length: Math.min(500, total - i) }, (_, j) => ({
      type: 'content.recorded',
      data: {
        store: 'bench',
        path: pathOf(i + j),
        size: 12345,
        checksums: [checksum],
      },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', reports)
  }
}

interface Cost {
  /** Seconds. */
  readonly took: number
  /** Seconds of the processor, of all threads. */
  readonly processor: number
}

const timed = async (work: () => unknown): Promise<Cost> => {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { took: (performance.now() - start) / 1000, processor: (user + system) / 1e6 }
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
const homeOf = (name: string) => join(folder, name)
const logIn = (home: string) => join(home, 'fonds.db')
const viewsIn = (home: string) => join(home, 'views.db')
const copyOf = (name: string) => {
  cpSync(homeOf('topic'), homeOf(name), { recursive: true })
  return homeOf(name)
}

/** A copy of the home with the topic, the costs of some stages on it, and what they did. */
const onCopy = async <Costs>(name: string, work: (system: System) => Promise<Costs>) => {
  const home = copyOf(name)
  const system = await openHome(home)
  const costs = await work(system)
  await system.close()
  return { costs, done: doneIn(logIn(home), viewsIn(home)) }
}

const topic = await openHome(homeOf('topic'))
await ensureTopics(topic)
const produced = await timed(() => produceAll(topic))
await topic.close()

const stages = await onCopy('stages', async (system) => {
  const append = await timed(async () => {
    const running = await startRoles(system, ['processors'])
    for (;;) {
      const groups = await system.broker.groups()()
      if (
        groups._tag === 'Right' &&
        groups.right.flatMap((g) => g.partitions).every(({ lag }) => lag === 0n) &&
        groups.right.length > 0
      )
        break
      await system.clock.sleep(5)
    }
    await running.stop()
  })
  const fold = await timed(() => catchUp({ ...system, projections: [fixity] }))
  return { append, fold }
})

const mib = () => Math.round(process.memoryUsage().rss / 1024 / 1024)
const memory = { before: mib(), most: 0 }
const atOnce = await onCopy('at-once', async (system) => {
  const watch = setInterval(() => {
    memory.most = Math.max(memory.most, mib())
  }, 100)
  const cost = await timed(async () => {
    const running = await startRoles(system, ['processors', 'reactions', 'projections'])
    await settle(system)
    await running.stop()
  })
  clearInterval(watch)
  return cost
})

const raw = copyOf('by-hand')
rmSync(viewsIn(raw))
const alike = anyRowIn(viewsIn(homeOf('stages')))
const rawAppend = await timed(() => appendByHand(logIn(raw), contentTopic.name))
const rawFold = await timed(() => foldByHand(logIn(raw), viewsIn(raw), alike))
const byHand = doneIn(logIn(raw), viewsIn(raw))
expectSame('the stages one by one', stages.done, byHand)
expectSame('all roles at once', atOnce.done, byHand)
rmSync(folder, { recursive: true, force: true })

const perSecond = (seconds: number) => total / seconds
const line = (what: string, ours: Cost, theirs: number, promise?: number) => ({
  what,
  ours: perSecond(ours.processor),
  beside: 'by hand',
  theirs: perSecond(theirs),
  unit: 'messages/s of processor',
  ...(promise && { promise }),
})
const rawTotal = rawAppend.processor + rawFold.processor
printTable('from topic to view', [
  line('decide and append', stages.costs.append, rawAppend.processor),
  line('fold into a view', stages.costs.fold, rawFold.processor),
  line('all roles at once', atOnce.costs, rawTotal, 1 / 1.6),
])
const each = (seconds: number) => `${((seconds / total) * 1e6).toFixed(1)} µs`
for (const [what, { took, processor }] of [
  ['produce', produced],
  ['decide and append', stages.costs.append],
  ['fold into a view', stages.costs.fold],
  ['all roles at once', atOnce.costs],
  ['append by hand', rawAppend],
  ['fold by hand', rawFold],
] as const)
  console.log(
    `${what.padEnd(20)} ${Math.round(perSecond(took)).toLocaleString('en').padStart(8)} messages/s, ${each(took)} each, ${each(processor)} of processor`,
  )
console.log(`resident memory: ${memory.before} MiB before, ${memory.most} MiB at most`)
