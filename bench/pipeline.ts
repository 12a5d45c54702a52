import './as-fonds.ts'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import type { ViewStore } from '../src/ports/view-store.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { anyRowIn, appendByHand, doneIn, foldByHand } from './raw-pipeline.ts'
import { startApart } from './roles-apart.ts'
import { openHome } from './system.ts'
import { expectSame, medians, printTable } from './table.ts'

/*
 * Small messages from topic to view: each stage by itself, then all roles at once, as `fonds start` does it, and in two
 * processes, beside the same work by hand, on copies of one topic; and how long each waits for the collector of garbage.
 * `node bench/pipeline.ts [messages]`
 */

const total = Number(process.argv[2] ?? 200_000)
/** Of both sides, before the clock runs: what is measured goes on for hours. */
const warmUp = 50_000

const checksum = {
  algorithm: 'sha-256',
  value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

/** Folder by folder, as archives come. */
const pathOf = (n: number) =>
  `folder-${String(Math.floor(n / 200)).padStart(5, '0')}/file-${String(n).padStart(7, '0')}.tif`

const produceAll = async (system: System, messages: number) => {
  for (let i = 0; i < messages; i += 500) {
    const reports = Array.from({ length: Math.min(500, messages - i) }, (_, j) => ({
      type: 'content.recorded',
      data: { store: 'bench', path: pathOf(i + j), size: 12345, checksums: [checksum] },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', reports)
  }
}

interface Cost {
  /** Seconds. */
  readonly took: number
  /** Seconds of the processor, of all threads. */
  readonly processor: number
  /** Seconds for which this process's main thread stood still while garbage was collected. */
  readonly collecting: number
}

let collected = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collected += duration
}).observe({ entryTypes: ['gc'] })

const timed = async (work: () => unknown): Promise<Cost> => {
  const [start, before, earlier] = [performance.now(), process.cpuUsage(), collected]
  await work()
  const { user, system } = process.cpuUsage(before)
  const took = (performance.now() - start) / 1000
  // The observer is called in a turn of its own.
  await setImmediate()
  return { took, processor: (user + system) / 1e6, collecting: (collected - earlier) / 1000 }
}

const isHandled = async ({ broker }: System): Promise<boolean> => {
  const groups = await orThrow(broker.groups())
  return groups.length > 0 && groups.every(({ partitions }) => partitions.every(({ lag }) => lag === 0n))
}

const decideAndAppend = async (system: System) => {
  const running = await startRoles(system, ['processors'])
  while (!(await isHandled(system))) await system.clock.sleep(20)
  await running.stop()
}

const doAll = async (system: System) => {
  const running = await startRoles(system, ['processors', 'reactions', 'projections'])
  await waitUntilIdle(system)
  await running.stop()
}

/** All roles at once, but that the views are folded in a process of their own: the files are all that is between the two. */
const doAllInTwo = async (system: System): Promise<Cost> => {
  const views = await startApart(system.config.home, 'projections')
  const cost = await timed(async () => {
    const running = await startRoles(system, ['processors', 'reactions'])
    await waitUntilIdle(system)
    await running.stop()
  })
  return { ...cost, processor: cost.processor + (await views.stop()) }
}

type Views = (typeof fixity)['views']

/** The same rows in a file of their own, folded into views like these. */
const foldAgain = async (system: System, views: Views): Promise<Cost> => {
  const file = join(system.config.home, 'again.db')
  const viewStore = openViewStore(file)
  const cost = await timed(() => catchUp({ ...system, viewStore, projections: [{ ...fixity, views }] }))
  const rows = (of: ViewStore) => fixity.views.map(({ name }) => of.tally(name, { by: [] }))
  expectSame('folded again', JSON.stringify(rows(viewStore)), JSON.stringify(rows(system.viewStore)))
  viewStore.close()
  rmSync(file)
  return cost
}

/** No versions are kept: what the loop by hand does. */
const withoutPast: Views = fixity.views.map(({ history: _, ...view }) => view)
/** Search over everything finds none of these rows. */
const withoutSearch: Views = fixity.views.map(({ words: _, ...view }) => view)

/** Seconds of processor that the words of rows take, which search finds them by. */
const foldForSearch = async (system: System, rounds: number): Promise<number> => {
  const again = (views: Views) => async () => (await foldAgain(system, views)).processor
  const [withWords, without] = await medians(rounds, again(fixity.views), again(withoutSearch))
  return Math.max(0, withWords! - without!)
}

/** Every stage on a copy of one topic of so many messages; all must have done the same. */
const measure = async (messages: number, rounds: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
  const logIn = (name: string) => join(folder, name, 'fonds.db')
  const viewsIn = (name: string) => join(folder, name, 'views.db')
  const copy = (name: string) => cpSync(join(folder, 'topic'), join(folder, name), { recursive: true })
  const onCopy = async <Costs>(name: string, work: (system: System) => Promise<Costs>): Promise<Costs> => {
    copy(name)
    const system = await openHome(join(folder, name))
    const costs = await work(system)
    await system.close()
    return costs
  }

  const topic = await openHome(join(folder, 'topic'))
  await ensureTopics(topic)
  const produce = await timed(() => produceAll(topic, messages))
  await topic.close()
  const stages = await onCopy('stages', async (system) => ({
    append: await timed(() => decideAndAppend(system)),
    fold: await timed(() => catchUp({ ...system, projections: [fixity] })),
    foldWithoutPast: await foldAgain(system, withoutPast),
    forSearch: await foldForSearch(system, rounds),
  }))
  const atOnce = await onCopy('at-once', (system) => timed(() => doAll(system)))
  const inTwo = await onCopy('in-two', doAllInTwo)
  copy('by-hand')
  rmSync(viewsIn('by-hand'))
  const alike = anyRowIn(viewsIn('stages'))
  const rawAppend = await timed(() => appendByHand(logIn('by-hand'), contentTopic.name))
  const rawFold = await timed(() => foldByHand(logIn('by-hand'), viewsIn('by-hand'), alike))
  const done = (name: string) => doneIn(logIn(name), viewsIn(name))
  expectSame('the stages one by one', done('stages'), done('by-hand'))
  expectSame('all roles at once', done('at-once'), done('by-hand'))
  expectSame('in two processes', done('in-two'), done('by-hand'))
  rmSync(folder, { recursive: true, force: true })
  return { produce, ...stages, atOnce, inTwo, rawAppend, rawFold }
}

await measure(warmUp, 1)
const { forSearch, ...costs } = await measure(total, 3)

const perSecond = (seconds: number) => total / seconds
const line = (what: string, ours: number, theirs: number, promise?: number) => ({
  what,
  ours: perSecond(ours),
  beside: 'by hand',
  theirs: perSecond(theirs),
  unit: 'messages/s of processor',
  did: `${total.toLocaleString('en')} messages`,
  ...(promise && { promise }),
})
const { append, rawAppend, rawFold, atOnce } = costs
const withoutHistory = costs.foldWithoutPast.processor
const byHand = rawAppend.processor + rawFold.processor
printTable('from topic to view', [
  line('decide and append', append.processor, rawAppend.processor),
  line('fold into views', withoutHistory, rawFold.processor),
  line('both, one after the other', append.processor + withoutHistory, byHand, 0.625),
  line('fold, and keep their past', costs.fold.processor, rawFold.processor),
  line('all roles at once, and keep it', atOnce.processor, byHand),
  {
    ...line('the same, search included', atOnce.processor, atOnce.processor - forSearch, 0.95),
    beside: 'without search',
  },
  line('the same, in two processes', costs.inTwo.processor, byHand),
])
const each = (seconds: number) => `${((seconds / total) * 1e6).toFixed(1)} µs`
for (const [what, { took, processor, collecting }] of Object.entries(costs))
  console.log(
    `${what.padEnd(16)} ${Math.round(perSecond(took)).toLocaleString('en').padStart(8)} messages/s, ${each(took)} each, ${each(processor)} of processor, ${each(collecting)} still for the collector`,
  )
console.log(`resident memory: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB at most`)
