import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import openContent from '../infra/content/open-content.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { createApi } from '../src/api/create-api.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { fileStream } from '../src/domain/indexing/file.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import { indexingQueue } from '../src/processors/indexing/claims.ts'
import { indexing } from '../src/projections/indexing/projection.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { createHttpClient } from '../src/workers/http/http-client.ts'
import { listSource } from '../src/workers/indexing/listing/list-source.ts'
import { policyIn } from '../src/workers/indexing/policy-in.ts'
import { pollSource } from '../src/workers/indexing/poll-source.ts'
import { benchSystem } from './system.ts'
import { expectSame } from './table.ts'

/*
 * A million archive files known, each thousandth failed: a poll of the unchanged list says nothing and is over soon; a claim, and the
 * questions that a person waits for. `node bench/million-files.ts [files]`
 */

const total = Number(process.argv[2] ?? 1_000_000)
const rounds = Math.min(100, total / 1000)
const discoveredAt = '2026-01-01T00:00:00.000Z'
const indexedAt = '2026-01-01T01:00:00.000Z'
const { system, home, dispose } = await benchSystem()
const list = join(home, 'list')

const nameOf = (n: number) =>
  `CRAWL-${String(Math.floor(n / 1000)).padStart(5, '0')}-${String(n).padStart(7, '0')}.warc.gz`
const placeOf = (n: number) => ({
  location: `/srv/warcs/${Math.floor(n / 1000)}/${nameOf(n)}`,
  size: 1_000_000_000 + n,
  modifiedAt: new Date(Date.UTC(2015, 0, 1) + n * 300_000).toISOString(),
})

/** The log is filled by plain statements: how fast it is filled is another benchmark's question. */
const fillLog = async () => {
  const db = openDatabase(join(home, 'fonds.db'))
  const addStream = db.writer.prepare(
    'INSERT INTO streams (id, name, category, revision) VALUES (?, ?, ?, 1)',
  )
  const addEvent = db.writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 })
  const listed = createWriteStream(list)
  db.writer.exec('BEGIN')
  for (let n = 1; n <= total; n++) {
    const stream = fileStream({ repository: 'main', name: nameOf(n) })
    addStream.run(n, stream, categoryOf(stream))
    const add = (revision: number, type: string, data: object) =>
      addEvent.run(n, revision, `${n}-${revision}`, type, Date.now(), JSON.stringify(data), metadata)
    const place = placeOf(n)
    add(0, 'FileDiscovered', { ...place, kind: 'content', at: discoveredAt, dueAt: discoveredAt })
    if (n % 1000 === 0)
      add(1, 'IndexingFailed', {
        failures: 1,
        code: 'corrupt',
        reason: 'a member is damaged',
        dueAt: indexedAt,
        at: indexedAt,
      })
    else {
      const { size, modifiedAt } = place
      add(1, 'FileIndexed', {
        fence: 1,
        lines: 20_000,
        digest: 'e3'.repeat(32),
        size,
        modifiedAt,
        warnings: [],
        at: indexedAt,
      })
    }
    if (!listed.write(`${JSON.stringify(place)}\n`)) await once(listed, 'drain')
  }
  db.writer.exec('COMMIT')
  await finished(listed.end())
  await db.close()
}

const say = (what: string, millis: number, promised?: number) => {
  const verdict =
    promised === undefined ? '' : `  under ${promised} ms ${millis < promised ? 'kept' : 'MISSED'}`
  console.log(`${what.padEnd(48)} ${millis.toFixed(1).padStart(9)} ms${verdict}`)
}
const timed = async <A>(work: () => Promise<A>) => {
  const start = performance.now()
  const result = await work()
  return { result, millis: performance.now() - start }
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!

try {
  await ensureTopics(system)
  await fillLog()
  const fold = () => catchUp({ ...system, projections: [indexing] })
  say(`fold ${total.toLocaleString('en')} files into views`, (await timed(fold)).millis)

  const policy = policyIn(system.config)
  const { signal } = new AbortController()
  const client = createHttpClient({ stallMillis: 60_000 })
  let most = 0
  const before = process.memoryUsage.rss()
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  for (const what of ['poll of the unchanged list', 'again']) {
    const poll = { ...system, policy, source: 'fonds://bench', signal, onSkipped: () => {} }
    const { result, millis } = await timed(() =>
      pollSource('main', listSource(list, { client, signal, openContent }), poll),
    )
    expectSame('listed', result.listed, total)
    expectSame('news', result.news, 0)
    say(what, millis, 20_000)
  }
  clearInterval(watch)
  await client.close()
  console.log(`memory of a poll: ${Math.round((most - before) / 1e6)} MB more`)

  const queue = indexingQueue({
    ...{ execute: system.execute, viewStore: system.viewStore, clock: system.clock, worker: 'bench' },
    ...{ timeoutMillis: 60_000, order: system.config.indexingOrder, policy, reportFailure: async () => {} },
  })
  const claims: number[] = []
  for (let i = 0; i < rounds; i++) {
    const { result, millis } = await timed(() => queue.take(1))
    expectSame('claimed', result.length, 1)
    claims.push(millis)
    await fold()
  }
  say(`claim, 99th of ${rounds}`, p99(claims), 100)

  const api = await createApi(system)
  const questions = [
    ...[
      'report',
      'files',
      'files?state=failed',
      'files?kind=content',
      'files?conflict=true',
      'files?salvaged=true',
    ],
    ...[
      'files?repository=main&state=unknown',
      'failed',
      'failed?repository=main',
      'late',
      'late?hours=1&repository=main',
    ],
    `why?of=${nameOf(total >> 1)}`,
    `why?of=main/${nameOf(1000)}`,
    'why?of=http://example.org/',
  ]
  for (const question of questions) {
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const { result, millis } = await timed(async () => {
        const { statusCode } = await api.inject(`/api/v1/indexing/${question}`)
        return statusCode
      })
      expectSame(`status of ${question}`, result, 200)
      times.push(millis)
    }
    // The first one opens what the others use.
    say(question, p99(times.slice(1)), 100)
    console.log(`${'  the first time'.padEnd(48)} ${times[0]!.toFixed(1).padStart(9)} ms`)
  }
  const { millis } = await timed(() => system.metrics())
  say('metrics', millis, 1000)
} finally {
  await dispose()
}
