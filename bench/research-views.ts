import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadSchedulerState, schedulerModel } from '../src/processors/research/load-scheduler-state.ts'
import { encodeModel, restoreModel } from '../src/processors/runtime/in-memory-model.ts'
import { research } from '../src/projections/research/projection.ts'
import { progress } from '../src/projections/research/questions/progress.ts'
import { largeBatch } from '../src/projections/runtime/fold.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'
import { fillResearchLog } from './research-log.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Everything that is folded from a real log of results: the views, beside a raw loop that reads and parses the same
 * events and sets a bit for each; the views once more with the comparison of all rows; the scheduler state without and with what was
 * kept of it. Each quarter by itself, so that growth is seen. `node bench/research-views.ts [results] [clips]`
 */

const results = Number(process.argv[2] ?? 2_000_000)
const clips = Number(process.argv[3] ?? 5000)
const promised = 60_000
const { system, home, dispose } = await benchSystem()
const file = join(home, 'fonds.db')
const events = await fillResearchLog(file, { episodes: Math.ceil(results / clips), clips, results })

const seconds = (from: number): number => (performance.now() - from) / 1000
/** Of the processor: others may use the machine meanwhile. */
const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const resident = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20)
const count = (n: number): string => Math.round(n).toLocaleString('en')

/** Prints a line a quarter; gives events a second. */
const inQuarters = async (
  what: string,
  work: (at: (done: number) => void) => Promise<void>,
): Promise<number> => {
  const start = performance.now()
  const used = processorSeconds()
  let [quarter, before, read] = [1, 0, 0]
  await work((done) => {
    if (done < (events * quarter) / 4) return
    const now = seconds(start)
    console.log(
      `  ${what}: ${count(done)} events, ${now.toFixed(1)} s, ${count((done - read) / (now - before))}/s, ${resident()} MiB resident`,
    )
    before = now
    read = done
    quarter = Math.floor((done * 4) / events) + 1
  })
  const perSecond = events / (processorSeconds() - used)
  console.log(`  ${what}: ${count(perSecond)}/s of the processor's time`)
  return events / seconds(start)
}

/** Reads as a rebuild does: a page at a time, parsed; a bit a pair is all that is kept. */
const rawLoop = async (at: (done: number) => void): Promise<void> => {
  const db = new DatabaseSync(file, { readOnly: true })
  const page = db.prepare(
    `SELECT e.position, s.name, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata
     FROM events e CROSS JOIN streams s ON s.id = e.stream_id WHERE e.position > ? ORDER BY e.position LIMIT ${largeBatch}`,
  )
  page.setReturnArrays(true)
  const numbers = new Map<string, number>()
  const bits = new Map<string, Uint8Array>()
  let [position, read] = [0, 0]
  for (;;) {
    const rows = page.all(position) as unknown as [
      number,
      string,
      number,
      string,
      string,
      number,
      string,
      string,
    ][]
    for (const [at, stream, , , type, , data, metadata] of rows) {
      position = at
      JSON.parse(metadata)
      const { clip } = JSON.parse(data) as { clip: string }
      if (type !== 'ClipResearched') continue
      const number = numbers.get(clip) ?? numbers.size
      numbers.set(clip, number)
      const own = bits.get(stream) ?? new Uint8Array(Math.ceil(clips / 8))
      own[number >> 3]! |= 1 << (number & 7)
      bits.set(stream, own)
    }
    read += rows.length
    at(read)
    if (rows.length < largeBatch) break
  }
  db.close()
  let pairs = 0
  for (const own of bits.values())
    for (const byte of own) pairs += byte.toString(2).replaceAll('0', '').length
  expectSame('events read', read, events)
  expectSame('pairs of the raw loop', pairs, results)
}

console.log(`${count(events)} events, ${count(results)} of them results`)
const theirs = await inQuarters('raw loop', rawLoop)
const ours = await inQuarters('views', async (at) => {
  const { promoted } = await rebuild(research, { ...system, onProgress: ({ events }) => at(events) })
  if (!promoted) throw new Error('the views were not built')
  expectSame('pairs in the views', progress(system.viewStore, system.clock.now()).researched, results)
})
const verified = await inQuarters('views, built anew and compared', async (at) => {
  const { differences, comparedAt } = await rebuild(research, {
    ...system,
    verify: true,
    onProgress: ({ events }) => at(events),
  })
  if (comparedAt === undefined || differences.length > 0) throw new Error(JSON.stringify(differences))
})
const { signal } = new AbortController()
const load = () => loadSchedulerState(system, signal)
let start = performance.now()
const loaded = await load()
const fromLog = seconds(start)
const snapshot = encodeModel(schedulerModel, loaded)
if (!snapshot) throw new Error('the scheduler state is empty')
await system.snapshots.save(schedulerModel.name, snapshot)
start = performance.now()
const kept = await restoreModel(schedulerModel, system)
const again = await load()
const fromSnapshot = seconds(start)
if (kept.folded !== loaded.folded || again.scheduler.size().researched !== results)
  throw new Error('the scheduler state is not what it was')

const line = { ours, unit: 'events/s' }
printTable('research', [
  { ...line, what: 'rebuild of the views', beside: 'raw loop: scan, parse, a bit', theirs },
  { ...line, what: 'rebuild of the views', beside: 'asked', theirs: promised, promise: 1 },
  { ...line, what: 'rebuild --verify', ours: verified, beside: 'without', theirs: ours },
  { ...line, what: 'scheduler from the log', ours: events / fromLog, beside: 'raw loop', theirs },
])
const minutes = (perSecond: number) => ((23e6 * (events / results)) / perSecond / 60).toFixed(1)
console.log(
  `23,000,000 results would take: views ${minutes(ours)} minutes, scheduler ${minutes(events / fromLog)} minutes`,
)
console.log(`scheduler with a snapshot: ${(fromSnapshot * 1000).toFixed(0)} ms`)
await dispose()
