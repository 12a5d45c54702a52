import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openDatabase } from '../infra/sqlite/database.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { itemStream } from '../src/domain/fixity/item.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import { checkQueues } from '../src/processors/fixity/check-queues.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { fixityReport } from '../src/projections/fixity/questions/report.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { benchSystem } from './system.ts'

/* A million items known, one due: how long a claim takes, a start, a report. `node bench/million.ts [items]` */

const total = Number(process.argv[2] ?? 1_000_000)
const later = '2099-01-01T00:00:00.000Z'
const { system, home, dispose } = await benchSystem()
const db = openDatabase(join(home, 'fonds.db'))
await ensureTopics(system)

// The log is filled by plain statements: how fast it is filled is another benchmark's question.
const addStream = db.writer.prepare('INSERT INTO streams (id, name, category, revision) VALUES (?, ?, ?, 0)')
const addEvent = db.writer.prepare(
  'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, 0, ?, ?, ?, ?, ?)',
)
const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 })
const checksums = [
  { algorithm: 'sha-256', value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
]
db.writer.exec('BEGIN')
for (let n = 1; n <= total; n++) {
  const path = `folder-${String(Math.floor(n / 200)).padStart(5, '0')}/file-${String(n).padStart(7, '0')}.tif`
  const stream = itemStream({ store: 'bench', path })
  const dueAt = n === Math.floor(total / 2) ? '2026-01-01T00:00:00.000Z' : later
  addStream.run(n, stream, categoryOf(stream))
  const data = {
    checksums,
    size: 12345,
    recordedFrom: contentTopic.name,
    at: '2026-01-01T00:00:00.000Z',
    dueAt,
  }
  addEvent.run(n, `${n}`, 'ContentRecorded', Date.now(), JSON.stringify(data), metadata)
}
db.writer.exec('COMMIT')
await db.close()

const say = (what: string, millis: number, promised?: number) => {
  const verdict =
    promised === undefined ? '' : `  under ${promised} ms ${millis < promised ? 'kept' : 'MISSED'}`
  console.log(`${what.padEnd(48)} ${millis.toFixed(1).padStart(9)} ms${verdict}`)
}

const timed = async <A>(
  what: string,
  promised: number | undefined,
  work: () => Promise<A> | A,
): Promise<A> => {
  const start = performance.now()
  const result = await work()
  say(what, performance.now() - start, promised)
  return result
}

await timed(`fold ${total.toLocaleString('en')} items into views`, undefined, () =>
  catchUp({ ...system, projections: [fixity] }),
)
const [, low] = checkQueues({
  execute: system.execute,
  viewStore: system.viewStore,
  clock: system.clock,
  worker: 'bench',
  stores: async () => ['bench'],
  isReportable: async () => true,
  viewsReach: async () => {},
  timeoutMillis: 60_000,
  reportFailure: async () => {},
})
const claims: number[] = []
for (let i = 0; i < 21; i++) {
  const start = performance.now()
  const claimed = await low!.take(10)
  claims.push(performance.now() - start)
  if (claimed.length !== 1) throw new Error(`claimed ${claimed.length} instead of 1`)
  if (i < 20) await claimed[0]!.release('again')
  await catchUp({ ...system, projections: [fixity] })
}
say('claim the one that is due, the first time', claims[0]!)
say('claim the one that is due, median of 21', claims.sort((a, b) => a - b)[10]!, 5)
await timed('look again: nothing is due', 5, () => low!.take(10))
await timed('when is the next one due', 5, () => low!.nextDue())
await timed('report of the whole store', undefined, () => fixityReport(system.viewStore, system.clock.now()))
await system.close()

const fonds = (...args: string[]) =>
  spawnSync(join(import.meta.dirname, '../bin/fonds'), [...args, '--home', home], { encoding: 'utf8' })
fonds('topics')
await timed('start of a process that asks for one item', 2000, () => {
  const { status, stderr } = fonds('query', 'fixity-items', '--limit', '1')
  if (status !== 0) throw new Error(stderr)
})
await dispose()
