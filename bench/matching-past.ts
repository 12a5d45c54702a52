import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { viewCheckpoint } from '../src/async/checkpoint.ts'
import type { RecordedEvent } from '../src/domain/kernel/event.ts'
import type { ViewQuery, ViewShape } from '../src/domain/kernel/view.ts'
import type { Generation, ViewStore } from '../src/ports/view-store.ts'
import { matching } from '../src/projections/matching/projection.ts'
import { componentAnswer } from '../src/projections/matching/questions/component.ts'
import { summary } from '../src/projections/matching/questions/summary.ts'
import { foldBatch } from '../src/projections/runtime/fold.ts'
import { idOf } from './catalogue.ts'
import { growingCatalogue } from './growing-catalogue.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Matching's views as of moments of the past, beside the same questions about now; and what keeping the past costs, beside folding
 * without it; all by processor time. A catalogue comes, and each of its pairs is parted again. Every answer is compared with that of views
 * which are folded up to there. `node bench/matching-past.ts [works]`
 */

const works = Number(process.argv[2] ?? 100_000)
const batchSize = 10_000
/** Milliseconds of processor: of a row, and of a page of 100. */
const promised = { one: 1, page: 5 }

const catalogue = growingCatalogue()
const batches: (() => { readonly events: readonly RecordedEvent[]; readonly position: bigint })[] = []
for (const said of [catalogue.grow, catalogue.part])
  for (let first = 0; first < works; first += batchSize)
    batches.push(() => ({
      events: said(first, Math.min(batchSize, works - first)),
      position: catalogue.position(),
    }))

interface Side {
  readonly store: ViewStore
  readonly live: Generation
  /** Of processor, to fold. */
  millis: number
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-matching-past-'))
const open = (file: string, views: readonly ViewShape[]): Side => {
  const store = openViewStore(join(folder, file))
  const made = store.create(matching.name, matching.version, views)
  store.promote(made)
  return { store, live: { ...made, status: 'live' }, millis: 0 }
}

const cpuMillis = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const fold = (side: Side, batch: { events: readonly RecordedEvent[]; position: bigint }): void => {
  const { store, live } = side
  const before = process.cpuUsage()
  const folded = foldBatch(viewCheckpoint(store, live), matching, store.checkpoint(live), batch)
  if (folded._tag === 'Left') throw new Error('somebody else folds')
  side.millis += cpuMillis(before)
}

type Ask = (views: ViewStore, n: number) => unknown

const rowsOf =
  (view: string, query: (n: number) => ViewQuery): Ask =>
  (views, n) =>
    views.query(view, query(n))
const is = (column: string, value: string | number) => ({ column, is: '=' as const, value })

const one: Readonly<Record<string, Ask>> = {
  'a work': rowsOf('matching-works', (n) => ({ where: [is('work', idOf(n))] })),
  'its document': rowsOf('matching-merged', (n) => ({ where: [is('work', idOf(n)), is('generation', 1)] })),
  'its graph': rowsOf('matching-members', (n) => ({ where: [is('id', idOf(n)), is('generation', 1)] })),
  'links to it': rowsOf('matching-links', (n) => ({
    where: [is('to', idOf(n))],
    orderBy: [{ column: 'to' }],
  })),
  'its turns': rowsOf('matching-turns', (n) => ({ where: [is('work', idOf(n)), is('generation', 1)] })),
}
const pages: Readonly<Record<string, Ask>> = {
  '100 works by id': rowsOf('matching-works', (n) => ({
    where: [{ column: 'work', is: '>', value: idOf(n) }],
    orderBy: [{ column: 'work' }],
    limit: 100,
  })),
  'the 100 largest graphs': rowsOf('matching-graphs', () => ({
    where: [is('generation', 1)],
    orderBy: [
      { column: 'generation', descending: true },
      { column: 'size', descending: true },
    ],
    limit: 100,
  })),
  'the graph of a work, with links and reasons': (views, n) => componentAnswer(views, idOf(n)),
  'a summary': (views) => summary(views),
}

/** Of processor, for one of many; the first, which prepares statements, is left out. */
const millisOf = (views: ViewStore, ask: Ask): number => {
  const times = 200
  ask(views, 0)
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) ask(views, (i * 7919) % works)
  return cpuMillis(before) / times
}

const whole = open('whole.db', matching.views)
const then = open(
  'then.db',
  matching.views.map(({ history: _, ...view }: ViewShape) => view),
)
/** Up to where views are, and what they answer there. */
const moments: { readonly position: bigint; readonly answers: readonly string[] }[] = []
const all = Object.entries({ ...one, ...pages })
const answersOf = (views: ViewStore) =>
  all.flatMap(([, ask]) => [1, works >> 1, works - 1].map((n) => JSON.stringify(ask(views, n))))
const wanted = new Set([0.05, 0.3, 0.6, 0.99].map((part) => Math.floor(batches.length * part)))
for (const [i, make] of batches.entries()) {
  const batch = make()
  for (const side of i % 2 === 0 ? [whole, then] : [then, whole]) fold(side, batch)
  if (wanted.has(i)) moments.push({ position: batch.position, answers: answersOf(then.store) })
}
const end = catalogue.position()
for (const { position, answers } of moments) {
  const past = whole.store.asOf(whole.live, { position, time: null })
  for (const [i, answer] of answersOf(past).entries())
    expectSame(all[Math.floor(i / 3)]?.[0] ?? '', answer, answers[i])
  printTable(
    `as of ${Math.round((100 * Number(position)) / Number(end))} % of the log`,
    all.map(([what, ask]) => {
      const millis = millisOf(past, ask)
      const limit = Object.hasOwn(one, what) ? promised.one : promised.page
      const now = millisOf(whole.store, ask)
      return {
        ...{ what, ours: 1000 / millis, beside: 'as of now', theirs: 1000 / now, unit: '/s' },
        ratio: now / millis,
        promise: Number((now / limit).toFixed(3)),
      }
    }),
  )
}
for (const { store } of [whole, then]) store.close()
const [withPast, without] = [whole, then].map(({ millis }) => (1000 * millis) / (2 * works)) as [
  number,
  number,
]
const [kept, now] = ['whole.db', 'then.db'].map((file) => Math.round(statSync(join(folder, file)).size / 1e6))
console.log(
  `${works.toLocaleString('en')} works, each said twice: views of ${kept} MB, without their past ${now} MB; ${withPast.toFixed(0)} µs of processor each time, without the past ${without.toFixed(0)}`,
)
rmSync(folder, { recursive: true, force: true })
