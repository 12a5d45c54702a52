import './as-fonds.ts'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as t from 'io-ts'
import { v7 as uuid } from 'uuid'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { idOf, type NewEvent } from '../src/domain/kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../src/domain/kernel/event-set.ts'
import type { ViewQuery, ViewShape } from '../src/domain/kernel/view.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import type { ViewStore, ViewsAsOf } from '../src/ports/view-store.ts'
import { asOf } from '../src/projections/runtime/as-of.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import { askHistory } from '../src/projections/runtime/history.ts'
import { type Projection, projection } from '../src/projections/runtime/projection.ts'
import { expectSame, median, printTable } from './table.ts'

/*
 * Questions as of moments of the past, of views that keep it, beside folding the log up to there; and what keeping it costs, beside
 * folding without it; all by processor time. Every answer is compared with the folded views. Arguments: changes (1000000), rows (a tenth
 * of them), and `random` or `growing`: which rows change, any of them, or those that were made up to then, a new one every now and then.
 */

const changes = Number(process.argv[2] ?? 1_000_000)
const rows = Number(process.argv[3] ?? Math.ceil(changes / 10))
const isGrowing = process.argv[4] === 'growing'

/** Of processor: milliseconds of a row and of a page of 100, microseconds more for each changed row. */
const promised = { one: 1, page: 5, change: 12 }

const states = ['waiting', 'running', 'done', 'done', 'done', 'failed'] as const
const note = 'a sentence about what came of it, as long as most are'

const moves = eventSet(
  eventSpec(
    'Moved',
    'A task came into a state.',
    t.type({ state: t.string, size: t.number, note: t.string }),
  ),
)
type Move = EventsOf<typeof moves>

/** Twenty columns, as views of a workflow have. */
const texts = Array.from({ length: 8 }, (_, i) => `text${i}`)
const numbers = Array.from({ length: 8 }, (_, i) => `number${i}`)

const tasks = {
  name: 'tasks',
  description: 'Tasks.',
  key: ['task'],
  columns: {
    task: 'text',
    state: 'text',
    size: 'integer',
    times: 'integer',
    ...Object.fromEntries(texts.map((name) => [name, 'text' as const])),
    ...Object.fromEntries(numbers.map((name) => [name, 'integer' as const])),
  },
  indexes: [['state']],
} satisfies ViewShape

const folded = (views: readonly ViewShape[]): Projection =>
  projection({ name: 'tasks', version: 1, description: 'Tasks.', views }, (on) => [
    on<Move>('task', moves, {
      Moved: ({ state, size, note }, event, tables) => {
        const table = tables.tasks as unknown as {
          get(key: string): { times: number } | undefined
          put(row: object): void
        }
        const task = idOf(event.stream)
        const times = (table.get(task)?.times ?? 0) + 1
        const row: Record<string, unknown> = { task, state, size, times }
        for (const name of texts) row[name] = note
        for (const name of numbers) row[name] = size
        table.put(row)
      },
    }),
  ])

const plain = folded([tasks])
const keeping = folded([{ ...tasks, history: { by: [['state']] } }])

/** Repeats: the same numbers in each run. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

/** Growing ones come last in the order of the key. */
const nameOf = (task: number): string =>
  isGrowing ? String(task).padStart(9, '0') : `${((task * 7919) % 1009).toString(36)}-${task}`

const fill = async (eventStore: EventStore): Promise<void> => {
  const random = randomFrom(1)
  let made = 0
  const nextTask = () => {
    const isNew = isGrowing && (made === 0 || (made < rows && random() < rows / changes))
    return isNew ? made++ : Math.floor(random() * (isGrowing ? made : rows))
  }
  for (let done = 0; done < changes; ) {
    const byStream = new Map<string, NewEvent[]>()
    for (const end = Math.min(changes, done + 5000); done < end; done++) {
      const stream = `task-${nameOf(nextTask())}`
      const state = random() < 0.001 ? 'rare' : states[Math.floor(random() * states.length)]
      const event: NewEvent = {
        id: uuid(),
        type: 'Moved',
        data: { state, size: Math.floor(random() * 1e6), note },
        metadata: { actor: 'bench', causationId: 'c', correlationId: 'c', schema: 1 },
      }
      byStream.set(stream, [...(byStream.get(stream) ?? []), event])
    }
    await Promise.all(
      [...byStream].map(([stream, events]) => eventStore.append(stream, 'any', events)().then(written)),
    )
  }
}

const written = (appended: { readonly _tag: string }): void => expectSame('an append', appended._tag, 'Right')

const folder = mkdtempSync(join(tmpdir(), 'fonds-as-of-'))
const eventStore = openSqliteEventStore(openDatabase(join(folder, 'fonds.db')))

/** Folds all into live views, with their indexes; microseconds of processor a change, and the store. */
const fold = async (projection: Projection, file: string) => {
  const viewStore = openViewStore(join(folder, file))
  viewStore.promote(viewStore.create(projection.name, projection.version, projection.views))
  const before = process.cpuUsage()
  await catchUp({ eventStore, viewStore, projections: [projection] })
  return { viewStore, micros: (1000 * cpuMillis(before)) / changes, bytes: statSync(join(folder, file)).size }
}

const questions: Readonly<
  Record<string, readonly [query: (random: () => number) => ViewQuery, promised?: number]>
> = {
  'one row': [
    (random) => ({ where: [{ column: 'task', is: '=', value: nameOf(Math.floor(random() * rows)) }] }),
    promised.one,
  ],
  '100 rows by key': [() => ({ limit: 100 }), promised.page],
  '100 rows by key, the last first': [
    () => ({ orderBy: [{ column: 'task', descending: true }], limit: 100 }),
    promised.page,
  ],
  '100 rows behind a key': [
    (random) => ({
      where: [{ column: 'task', is: '>', value: nameOf(Math.floor(random() * rows)) }],
      limit: 100,
    }),
    promised.page,
  ],
  '100 rows of a state': [
    () => ({ where: [{ column: 'state', is: '=', value: 'failed' }], limit: 100 }),
    promised.page,
  ],
  '100 rows of a rare state': [
    () => ({ where: [{ column: 'state', is: '=', value: 'rare' }], limit: 100 }),
    promised.page,
  ],
  // Of more, views refuse to read all.
  ...(changes <= 1_000_000 && {
    '100 rows of another column (all are read)': [
      () => ({ where: [{ column: 'number0', is: '<', value: 1000 }], limit: 100 }),
    ],
  }),
}

/** Milliseconds of processor of a question to views; the first, which prepares statements, is left out. */
const ask = (views: ViewStore, times: number, query: (random: () => number) => ViewQuery): number => {
  const random = randomFrom(7)
  views.query('tasks', query(random))
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) views.query('tasks', query(random))
  return cpuMillis(before) / times
}

const cpuMillis = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const same = (past: ViewStore, views: ViewStore): void => {
  for (const [name, [query]] of Object.entries(questions)) {
    const asked = query(randomFrom(3))
    expectSame(name, JSON.stringify(past.query('tasks', asked)), JSON.stringify(views.query('tasks', asked)))
  }
}

try {
  await fill(eventStore)
  const head = await orThrow(eventStore.head())
  const without = [await fold(plain, 'plain-1.db')]
  const withPast = await fold(keeping, 'keeping.db')
  without.push(await fold(plain, 'plain-2.db'))
  const micros = median(without.map(({ micros }) => micros))
  const more = withPast.micros - micros
  console.log(
    `${changes.toLocaleString('en')} changes of ${rows.toLocaleString('en')} ${isGrowing ? 'growing' : 'random'} rows; views of ${Math.round(withPast.bytes / 1e6)} MB, without their past ${Math.round((without[0]?.bytes ?? 0) / 1e6)} MB`,
  )
  console.log(
    `keeping the past, µs of processor a change from log to view: ${withPast.micros.toFixed(1)}, without it ${micros.toFixed(1)}: ${more.toFixed(1)} more, promised ${promised.change} at most: ${more <= promised.change ? 'kept' : 'MISSED'}`,
  )
  printTable('from log to view', [
    {
      what: 'a change, past kept',
      ours: 1e6 / withPast.micros,
      beside: 'without it',
      theirs: 1e6 / micros,
      unit: 'changes/s of processor',
      did: `${changes.toLocaleString('en')} changes of ${rows.toLocaleString('en')} rows`,
    },
  ])
  for (const part of [0.99, 0.5, 0.13, 0.01]) {
    const position = BigInt(Math.floor(Number(head) * part))
    const stores = { eventStore, viewStore: without[0]?.viewStore as ViewStore }
    const start = process.cpuUsage()
    const views = await asOf([plain], stores, { position })
    const folding = cpuMillis(start)
    console.log(`as of ${100 * part} %: folding the log up to there ${Math.round(folding)} ms of processor`)
    await askHistory(
      keeping,
      { eventStore, viewStore: withPast.viewStore },
      { position },
      async (past: ViewsAsOf) => {
        same(past, views)
        const lines = Object.entries(questions).map(([what, [query, limit]]) => {
          const millis = ask(past, what.includes('all are read') ? 3 : 50, query)
          return {
            ...{
              what,
              ours: 1000 / millis,
              beside: 'folding up to there',
              theirs: 1000 / folding,
              unit: '/s',
            },
            ...(limit !== undefined && { promise: Math.ceil(folding / limit) }),
          }
        })
        printTable(`as of ${100 * part} % of the log`, lines)
      },
      (why) => Promise.reject(new Error(why)),
    )
    views.close()
  }
} finally {
  await eventStore.close()
  rmSync(folder, { recursive: true, force: true })
}
