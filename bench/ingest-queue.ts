import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { batchStream, jobStream } from '../src/domain/ingest/ids.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import { jobQueues } from '../src/processors/ingest/job-claims.ts'
import { ingest } from '../src/projections/ingest/projection.ts'
import { jobRow } from '../src/projections/ingest/questions/reading.ts'
import { whyReasons } from '../src/projections/ingest/questions/why.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { workAreaOf } from '../src/workers/ingest/work-area.ts'
import { benchSystem } from './system.ts'
import { expectSame } from './table.ts'

/* A million jobs wait in one state: how long the claim of the next takes, and why one does not move. `node bench/ingest-queue.ts [jobs]` */

const total = Number(process.argv[2] ?? 1_000_000)
const claims = 300
const perBatch = 10_000
const at = '2026-01-01T00:00:00.000Z'
const { system, home, dispose } = await benchSystem()
await ensureTopics(system)

// The log is filled by plain statements: how fast it is filled is another benchmark's question.
const fillLog = async (): Promise<void> => {
  const db = openDatabase(join(home, 'fonds.db'))
  const addStream = db.writer.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, ?)')
  const addEvent = db.writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const metadata = JSON.stringify({
    actor: 'bench',
    causationId: 'bench',
    correlationId: 'bench',
    schema: 1,
  })
  let written = 0
  const add = (stream: string, events: readonly (readonly [type: string, data: object])[]): void => {
    const id = addStream.run(stream, categoryOf(stream), events.length - 1).lastInsertRowid
    for (const [revision, [type, data]] of events.entries())
      addEvent.run(id, revision, `${++written}`, type, Date.parse(at), JSON.stringify(data), metadata)
  }
  db.writer.exec('BEGIN')
  for (let first = 1, number = 1; first <= total; first += perBatch, number++) {
    const batch = `5b0c6f3e-8a4d-4f0e-9d59-${String(number).padStart(12, '0')}`
    const count = Math.min(perBatch, total - first + 1)
    add(batchStream(batch), openedBatch(number, first, count))
    for (let job = first; job < first + count; job++) add(jobStream(job), [pendingJob(batch, number, job)])
  }
  db.writer.exec('COMMIT')
  await db.close()
}

const openedBatch = (number: number, firstJob: number, count: number) => {
  const payload = { url: `https://host.example/batch-${number}.checkm` }
  const submission = { profile: 'default', submitter: 'bench', mode: 'add', payload }
  return [
    ['BatchSubmitted', { submission, profile: { name: 'default' }, at }],
    ['BatchNumbered', { number }],
    ['PayloadRead', { fence: 1, count, type: 'batch-manifest', at }],
    ['BatchMoved', { from: 'pending', to: 'processing', cause: 'I4', at, jobs: count, firstJob }],
  ] as const
}

const pendingJob = (batch: string, batchNumber: number, job: number) => {
  const payload = { url: `https://host.example/object-${job}.checkm`, type: 'manifest' }
  const of = { batch, batchNumber, job, index: (job - 1) % perBatch, profile: 'default', owner: 'none' }
  const ids = { submitter: 'bench', mode: 'add', localIds: [`object-${job}`], priority: 1 + (job % 9) }
  return ['JobCreated', { ...of, ...ids, collection: `collection-${job % 7}`, payload, at }] as const
}

/** The rows of a claim, written by plain statements into a log of its own. */
const bareCommits = async (file: string) => {
  const db = openDatabase(file)
  openSqliteEventStore(db)
  const addStream = db.writer.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, 0)')
  const addEvent = db.writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, 1, ?, ?, ?, ?, ?)',
  )
  const raise = db.writer.prepare('UPDATE streams SET revision = 1 WHERE id = ?')
  const claim = { holder: 'bench', fence: 1, deadline: at, millis: 60_000, state: 'pending' }
  const metadata = { actor: 'bench', causationId: randomUUID(), correlationId: 'bench', schema: 1 }
  const ids = Array.from({ length: claims }, (_, i) =>
    addStream.run(jobStream(i + 1), categoryOf(jobStream(1))),
  ).map(({ lastInsertRowid }) => lastInsertRowid)
  return {
    commit: (i: number) => {
      db.writer.exec('BEGIN IMMEDIATE')
      const [data, about] = [JSON.stringify(claim), JSON.stringify(metadata)]
      addEvent.run(ids[i]!, randomUUID(), 'StepClaimed', Date.parse(at), data, about)
      raise.run(ids[i]!)
      db.writer.exec('COMMIT')
    },
    close: () => db.close(),
  }
}

const say = (what: string, millis: number, promised?: number): void => {
  const verdict =
    promised === undefined ? '' : `  under ${promised} ms ${millis < promised ? 'kept' : 'MISSED'}`
  console.log(`${what.padEnd(48)} ${millis.toFixed(1).padStart(9)} ms${verdict}`)
}

const timed = async <A>(work: () => Promise<A> | A): Promise<readonly [answer: A, millis: number]> => {
  const start = performance.now()
  const answer = await work()
  return [answer, performance.now() - start]
}

const sayAll = (what: string, millis: readonly number[], promised?: number): void => {
  const sorted = millis.toSorted((one, other) => one - other)
  say(`${what}, median of ${sorted.length}`, sorted[sorted.length >> 1]!)
  say(`${what}, p99`, sorted[Math.ceil(sorted.length * 0.99) - 1]!, promised)
}

/** The lower priority number first, then the older job. */
const expectedOrder = (): readonly number[] => {
  const order: number[] = []
  for (let priority = 1; order.length < claims; priority++)
    for (let job = 1; job <= total && order.length < claims; job++)
      if (1 + (job % 9) === priority) order.push(job)
  return order
}

try {
  await fillLog()
  const [, folded] = await timed(() => catchUp({ ...system, projections: [ingest] }))
  say(`fold ${total.toLocaleString('en')} jobs into views`, folded)

  const { pending } = jobQueues({
    ...system,
    worker: 'bench',
    timeoutMillis: 60_000,
    reportFailure: async () => {},
  })
  const bare = await bareCommits(join(home, 'bare.db'))
  const bareMillis: number[] = []
  const ownMillis: number[] = []
  const taken: number[] = []
  const claimMillis: number[] = []
  for (let i = 0; i < claims; i++) {
    const before = process.threadCpuUsage()
    const [claimed, millis] = await timed(() => pending.take(1))
    const { user, system: kernel } = process.threadCpuUsage(before)
    ownMillis.push((user + kernel) / 1000)
    expectSame('jobs claimed', claimed.length, 1)
    taken.push(claimed[0]!.task.job)
    claimMillis.push(millis)
    await catchUp({ ...system, projections: [ingest] })
    bareMillis.push((await timed(() => bare.commit(i)))[1])
  }
  await bare.close()
  expectSame('jobs, in order', taken.join(), expectedOrder().join())
  sayAll('claim the next, with its commit', claimMillis, 5)
  sayAll('of it the processor', ownMillis)
  sayAll('beside it: the same rows in a commit, bare', bareMillis)

  const whyMillis: number[] = []
  for (let i = 0; i < 50; i++) {
    const job = 1 + Math.floor((total * (i + 0.5)) / 50)
    const [reasons, millis] = await timed(() =>
      whyReasons(system.viewStore, jobRow(system.viewStore, job)!, {
        now: system.clock.now(),
        of: { ingest: workAreaOf(system.config) },
      }),
    )
    if (reasons.length === 0) throw new Error(`nothing is said of job ${job}`)
    whyMillis.push(millis)
  }
  sayAll('why one does not move', whyMillis, 100)
} finally {
  await dispose()
}
