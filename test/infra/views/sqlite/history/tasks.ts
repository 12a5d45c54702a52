import fc from 'fast-check'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import type { Tally, ViewQuery } from '../../../../../src/domain/kernel/view.ts'
import type { Generation, StoredShape, ViewStore } from '../../../../../src/ports/view-store.ts'

/* Any log of tasks, the views that are folded from it, and questions of every kind. */

export const shape = {
  name: 'tasks',
  description: 'Tasks.',
  key: ['queue', 'task'],
  columns: {
    queue: 'text',
    task: 'integer',
    state: 'text',
    due: 'integer',
    note: 'json',
    value: 'text',
  },
  indexes: [['state']],
  history: { by: [['state'], ['due']] },
} as const satisfies StoredShape

export const unordered = {
  ...shape,
  name: 'loose',
  isUnordered: true,
  history: { ...shape.history, byKey: false },
} as const satisfies StoredShape
/** Its ids are held by their numbers. */
export const numbered = {
  ...shape,
  name: 'numbered',
  isUnordered: true,
  ids: ['queue', 'state'],
} as const satisfies StoredShape
const { history: _, ...rest } = shape
const present = { ...rest, name: 'present' } as const satisfies StoredShape
export const shapes: readonly StoredShape[] = [shape, unordered, numbered, present]

const change = fc.record({
  queue: fc.constantFrom('a', 'b'),
  task: fc.integer({ min: 0, max: 5 }),
  state: fc.constantFrom('open', 'done', null),
  due: fc.option(fc.integer({ min: 0, max: 3 })),
  isDeleted: fc.boolean(),
})
/** An event: how far behind the one before it stands, and the rows that it writes, some of them twice. */
const event = fc.record({
  gap: fc.oneof(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.integer({ min: 1, max: 300_000 }),
  ),
  changes: fc.array(change, { maxLength: 3 }),
})
export const log = fc.array(event, { minLength: 1, maxLength: 8 }).map((events) => {
  let position = -1
  return events.map(({ gap, changes }) => {
    position += gap
    return { position, changes }
  })
})
export type Log = typeof log extends fc.Arbitrary<infer L> ? L : never

export const open = (cachedRows = 1000, blockEntries = 3) => {
  const store = openViewStore(':memory:', { rowBytes: cachedRows * 1000, blockEntries })
  const generation = store.create('tasks', 1, shapes)
  return { store, generation }
}

/** Folds in transactions of so many events, and promotes after so many of them. */
export const foldAll = (
  { store, generation }: ReturnType<typeof open>,
  events: Log,
  batch: number,
  promotedAfter = 0,
): Generation => {
  let live = generation
  const promote = () => {
    store.promote(generation)
    live = { ...generation, status: 'live' }
  }
  for (let i = 0; i < events.length; i += batch) {
    if (i >= promotedAfter && live.status !== 'live') promote()
    foldOne(store, live, events.slice(i, i + batch))
  }
  if (live.status !== 'live') promote()
  return live
}

/** Long, and mostly as it was: of many versions only what differs is stored. */
const titleOf = ({ task, due }: { readonly task: number; readonly due: number | null }): string | null =>
  due === 3 ? null : `the ${task}th task,\u0000 with "quotes" and 𐀀 as in every title`

/** Of an event. */
export const timeOf = (position: number): string => new Date(Date.UTC(2026, 0, 31) + position).toISOString()

export const viewsAt = (store: ViewStore, live: Generation, position: number) =>
  store.asOf(live, { position: BigInt(position), time: null })

/** In one transaction. */
export const foldOne = (store: ViewStore, generation: Generation, events: Log): void => {
  const { position: from } = store.checkpoint(generation)
  const to = { position: BigInt(events.at(-1)?.position ?? 0), time: null }
  store.fold(generation, from, to, (tables, begin) => {
    for (const { position, changes } of events) {
      begin({ position: BigInt(position), recordedAt: timeOf(position) })
      for (const { isDeleted, ...row } of changes)
        for (const { name } of shapes)
          if (isDeleted) tables[name]?.delete(row.queue, row.task)
          else tables[name]?.put({ ...row, note: { at: position }, value: titleOf(row) })
    }
  })
}

const page = { limit: 3 }
export const questions: readonly ViewQuery[] = [
  {},
  page,
  { ...page, offset: 2 },
  { where: [{ column: 'queue', is: '=', value: 'a' }], ...page },
  { orderBy: [{ column: 'queue', descending: true }], ...page },
  { where: [{ column: 'state', is: '=', value: 'open' }], ...page, columns: ['task'] },
  {
    where: [{ column: 'state', is: '=', value: 'open' }],
    orderBy: [{ column: 'queue', descending: true }],
    ...page,
  },
  {
    where: [
      { column: 'queue', is: '=', value: 'b' },
      { column: 'task', is: '=', value: 3 },
    ],
  },
  {
    where: [
      { column: 'queue', is: '=', value: 'b' },
      { column: 'task', is: '>', value: 2 },
    ],
    ...page,
  },
  { orderBy: [{ column: 'due' }], ...page },
  { orderBy: [{ column: 'due', descending: true }], ...page },
  { where: [{ column: 'due', is: '>=', value: 1 }], orderBy: [{ column: 'due' }], ...page },
  { where: [{ column: 'state', is: '=', value: null }], ...page },
  { where: [{ column: 'due', is: 'in', value: [1, 2] }], orderBy: [{ column: 'task' }], ...page },
]
const tallies: readonly Tally[] = [
  { by: [] },
  { by: ['state'], sum: ['due'] },
  { by: ['queue'], where: [{ column: 'state', is: '=', value: 'open' }] },
]

export const answersOf = (store: Pick<ViewStore, 'query' | 'tally'>, view: string) => [
  ...questions.map((question) => store.query(view, question)),
  ...tallies.map((tally) => store.tally(view, tally)),
]
