import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { createApi } from '../src/api/create-api.ts'
import { addMillis } from '../src/domain/kernel/time.ts'
import { itemQueue } from '../src/processors/research/items.ts'
import { passed } from '../src/processors/research/passed.ts'
import { research } from '../src/projections/research/projection.ts'
import type { ResearchTables } from '../src/projections/research/tables.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { clipId, episodeId, fillResearchLog, leaseOf, perLease } from './research-log.ts'
import { benchSystem } from './system.ts'

/*
 * The questions of research, and what workers and the ticker ask, at an archive that is nearly done: over HTTP and on the
 * command line. No statement may look through all leases. `node bench/research-questions.ts [episodes] [clips]`
 */

const episodes = Number(process.argv[2] ?? 4600)
const clips = Number(process.argv[3] ?? 5000)
const [findings, anomalies, live] = [100_000, 20_000, 201]
const leases = Math.ceil((episodes * clips) / perLease)

const { system, home, dispose } = await benchSystem()
await fillResearchLog(join(home, 'fonds.db'), { episodes, clips, results: 0 })
await catchUp({ ...system, projections: system.workflows.flatMap(({ projections }) => projections) })

const now = system.clock.now()
const engine = { name: 'correlator', version: '1', settings: 'rate=8000 threshold=0.6' }
const bits = (set: (n: number) => boolean): string => {
  const bytes = Buffer.alloc(Math.ceil(clips / 24) * 3)
  for (let n = 0; n < clips; n++) if (set(n)) bytes[n >> 3]! |= 1 << (n & 7)
  return bytes.toString('base64')
}

/** Rows as the fold leaves them; how fast it does is another benchmark's question. */
const fill = (tables: ResearchTables): void => {
  for (let n = 0; n < leases; n++) {
    const isLive = n < live
    const waits = isLive && n % 2 === 0
    const episode = n % episodes
    tables['research-leases'].put({
      lease: leaseOf(n),
      episode: episodeId(episode),
      state: waits ? 'waiting' : isLive ? 'taken' : 'ended',
      researcher: waits ? null : `listener-${n % 100}`,
      done: isLive ? '' : null,
      clipCount: perLease,
      doneCount: isLive ? 0 : perLease,
      failedCount: 0,
      grantedAt: addMillis(now, -60_000),
      takenAt: waits ? null : now,
      notAfter: addMillis(now, 5_400_000),
      deadline: addMillis(now, 7_200_000 + n),
      lastResultAt: null,
      endedAt: isLive ? null : now,
      ended: isLive ? null : 'finished',
      reason: null,
    })
    if (isLive)
      tables['research-lease-clips'].put({
        lease: leaseOf(n),
        clips: Array.from({ length: perLease }, (_, i) => clipId(i)),
      })
  }
  for (let n = 0; n < findings; n++) {
    const episode = n % episodes
    tables['research-findings'].put({
      episode: episodeId(episode),
      clip: clipId((n * 7) % clips),
      matches: [{ offset: 1_754_000_000_000, score: 0.93 }],
      overlapping: null,
      matchCount: 1,
      bestScore: 0.93,
      clipDuration: 3_000_000_000,
      engine,
      researcher: 'listener-1',
      lease: leaseOf(n),
      researchedAt: now,
      revision: n,
      others: [],
    })
  }
  for (let n = 0; n < anomalies; n++)
    tables['research-anomalies'].put({
      kind: n % 2 ? 'late' : 'repeat',
      episode: episodeId(n % episodes),
      clip: '',
      lease: leaseOf(n),
      researcher: `listener-${n % 100}`,
      times: 1,
      since: now,
      at: now,
      position: n,
      says: 'It is odd, in a sentence that says what it is and what to do about it now.',
    })
  for (let n = 0; n < 100; n++)
    tables['research-researchers'].put({
      researcher: `listener-${n}`,
      version: '1',
      engine,
      mediaTypes: null,
      registeredAt: now,
      presentUntil: addMillis(now, 180_000),
      draining: 0,
      blocked: 0,
      blockedReason: null,
      taken: 0,
      results: 0,
      found: 0,
      failures: 0,
      lastResultAt: null,
      goneAt: null,
    })
  for (let n = 0; n < episodes; n++) {
    const row = tables['research-episode-results'].get(episodeId(n))
    if (!row) throw new Error(`no episode ${n}`)
    const done = bits((clip) => (clip * 31 + n) % 100 !== 0)
    const matched = bits((clip) => (clip * 17 + n) % 230 === 0)
    tables['research-episode-results'].put({
      ...row,
      done: { 'correlator 1': done },
      matched,
      researched: clips,
    })
  }
  for (let n = 0; n < 1000; n++)
    tables['research-failures'].put({
      episode: episodeId(n % episodes),
      clip: clipId(n),
      failures: 5,
      stage: 'search',
      error: 'it is broken',
      researcher: 'listener-1',
      failedAt: now,
      retryAt: null,
      parkedAt: now,
    })
}
const generation = system.viewStore.live(research.name)!
const { position, time } = system.viewStore.checkpoint(generation)
system.viewStore.fold(generation, position, { position: position + 1n, time }, (tables) =>
  fill(tables as unknown as ResearchTables),
)

const statements = new Set<string>()
for (const method of ['all', 'get'] as const) {
  const plain = StatementSync.prototype[method] as (...values: unknown[]) => unknown
  StatementSync.prototype[method] = function (this: StatementSync, ...values: unknown[]) {
    statements.add(this.sourceSQL)
    return plain.apply(this, values)
  } as never
}

const tries = 7
const promised = 100
const measured = async (what: string, most: number, work: () => unknown): Promise<void> => {
  const millis: number[] = []
  for (let i = 0; i < tries; i++) {
    const start = performance.now()
    await work()
    millis.push(performance.now() - start)
  }
  const [first] = millis
  const median = millis.toSorted((a, b) => a - b)[tries >> 1]!
  const verdict = median < most ? 'kept' : 'MISSED'
  console.log(
    `${what.padEnd(58)} ${median.toFixed(1).padStart(8)} ms, at first ${first!.toFixed(0).padStart(5)}  under ${most} ms ${verdict}`,
  )
}

const app = await createApi(system)
const get = async (path: string): Promise<void> => {
  const { statusCode, body } = await app.inject(`/api/v1/research/${path}`)
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body.slice(0, 300)}`)
}
const questions: readonly (readonly [string, number?])[] = [
  ['progress'],
  ['episodes'],
  ['episodes?limit=1000'],
  ['clips'],
  ['leases'],
  ['researchers'],
  ['capacity'],
  ['parked'],
  ['anomalies'],
  [`findings?clip=${clipId(17)}`],
  [`findings?episode=${episodeId(17)}`],
  ['findings'],
  ['findings?text=gurgle-4', 300],
  ['findings?text=nothing%20of%20the%20kind', 300],
  [`episodes/${episodeId(17)}/timeline`],
  [`pair?episode=${episodeId(17)}&clip=${clipId(17)}`],
]
for (const [path, most = promised] of questions) await measured(`GET research/${path}`, most, () => get(path))
await app.close()

const none = async (): Promise<void> => {}
let n = 0
await measured('take an item', 20, async () => {
  const queue = itemQueue({
    ...system,
    researcher: `bench-${n++}`,
    isAtHand: () => false,
    restsUntil: () => undefined,
    release: none,
    fail: none,
  })
  // Its episode has no such lease: it is looked for, and refused.
  if ((await queue.take(0)).length > 0) throw new Error('It was taken')
})
for (const { name, passed: past } of passed(system.viewStore))
  await measured(`passed: ${name}`, 5, async () => {
    if ((await past(now)).length > 0) throw new Error('Nothing has passed')
  })

const db = new DatabaseSync(join(home, 'views.db'), { readOnly: true })
for (const sql of [...statements].filter((text) => /research-leases/.test(text))) {
  const values: number[] = Array(sql.split('?').length - 1).fill(0)
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
  const scan = plan.find(({ detail }) => /^SCAN/.test(String(detail)))
  if (scan) throw new Error(`${sql} looks through all leases: ${scan.detail}`)
}
console.log('no statement looks through all leases')
db.close()
await system.close()
const cli = (...args: string[]): void => {
  const { status, stderr } = spawnSync(join(import.meta.dirname, '../bin/fonds'), [...args, '--home', home], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
}
for (const args of [
  ['query', 'research-desk'],
  ['research', 'progress'],
  ['research', 'episodes'],
  ['research', 'clips'],
  ['research', 'leases'],
  ['research', 'findings', 'gurgle-4'],
  ['research', 'anomalies'],
  ['research', 'parked'],
])
  await measured(`fonds ${args.join(' ')}`, 1000, () => cli(...args))
await dispose().catch(() => {})
