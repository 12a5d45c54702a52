import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Back, oldestFrom, withRecord } from '../../../../infra/views/sqlite/past-back.ts'
import { openViewStore } from '../../../../infra/views/sqlite/view-store.ts'
import {
  PastNotKept,
  type Tally,
  TooManyRows,
  type Value,
  type ViewQuery,
  type ViewShape,
} from '../../../../src/domain/kernel/view.ts'
import type { Generation, RowChange, ViewStore } from '../../../../src/ports/view-store.ts'

/* Page P61–P67: the past that views keep. What it answers is what views answer that were folded up to there and no further. */

const shape = {
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
} as const satisfies ViewShape

const unordered = {
  ...shape,
  name: 'loose',
  isUnordered: true,
  history: { ...shape.history, byKey: false },
} as const satisfies ViewShape
/** Its ids are held by their numbers. */
const numbered = {
  ...shape,
  name: 'numbered',
  isUnordered: true,
  ids: ['queue', 'state'],
} as const satisfies ViewShape
const { history: _, ...rest } = shape
const present = { ...rest, name: 'present' } as const satisfies ViewShape
const shapes: readonly ViewShape[] = [shape, unordered, numbered, present]

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
const log = fc.array(event, { minLength: 1, maxLength: 8 }).map((events) => {
  let position = -1
  return events.map(({ gap, changes }) => {
    position += gap
    return { position, changes }
  })
})
type Log = typeof log extends fc.Arbitrary<infer L> ? L : never

const open = (cachedRows = 1000, blockEntries = 3) => {
  const store = openViewStore(':memory:', { cachedRows, blockEntries })
  const generation = store.create('tasks', 1, shapes)
  return { store, generation }
}

/** Folds in transactions of so many events, and promotes after so many of them. */
const foldAll = (
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
const timeOf = (position: number): string => new Date(Date.UTC(2026, 0, 31) + position).toISOString()

const pastAt = (store: ViewStore, live: Generation, position: number) =>
  store.asOf(live, { position: BigInt(position), time: null })

/** In one transaction. */
const foldOne = (store: ViewStore, generation: Generation, events: Log): void => {
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
const questions: readonly ViewQuery[] = [
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

const answersOf = (store: Pick<ViewStore, 'query' | 'tally'>, view: string) => [
  ...questions.map((question) => store.query(view, question)),
  ...tallies.map((tally) => store.tally(view, tally)),
]

describe('the past that views keep', () => {
  it('P62 P63: at each moment it answers what views that are folded up to there answer', () => {
    fc.assert(
      fc.property(
        log,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(0, 4, 1000),
        fc.integer({ min: 0, max: 8 }),
        (events, batch, cachedRows, promotedAfter) => {
          const all = open(cachedRows)
          const live = foldAll(all, events, batch, promotedAfter)
          const folded = open()
          folded.store.promote(folded.generation)
          const same = (position: number) => {
            const past = all.store.asOf(live, { position: BigInt(position), time: null })
            for (const view of [shape.name, unordered.name, numbered.name])
              expect(answersOf(past, view)).toEqual(answersOf(folded.store, view))
          }
          for (const event of events) {
            same(event.position - 1)
            foldOne(folded.store, folded.generation, [event])
            same(event.position)
          }
          folded.store.close()
          all.store.close()
        },
      ),
      { numRuns: 15 },
    )
  })

  it('P62: it is the same however many events are folded in one transaction, and a version that differs is found', () => {
    fc.assert(
      fc.property(log, fc.integer({ min: 1, max: 9 }), (events, batch) => {
        const { store, generation } = open()
        const live = foldAll({ store, generation }, events, 1)
        const other = store.create('tasks', 1, shapes)
        const end = BigInt(events.at(-1)?.position ?? 0)
        for (let i = 0; i < events.length; i += batch) foldOne(store, other, events.slice(i, i + batch))
        expect(store.compare(live, other)).toEqual([])
        store.fold(live, end, { position: end + 1n, time: null }, ({ tasks }) => {
          tasks?.put({ queue: 'z', task: 1, state: 'open', due: 1 })
        })
        store.fold(live, end + 1n, { position: end + 2n, time: null }, ({ tasks }) => tasks?.delete('z', 1))
        store.fold(other, end, { position: end + 2n, time: null }, () => {})
        expect(store.compare(live, other)).toMatchObject([
          {
            view: 'tasks, its past',
            rows: 1,
            onlyInFirst: [{ queue: 'z', task: 1, state: 'open' }],
            onlyInSecond: [],
          },
        ])
        store.close()
      }),
      { numRuns: 10 },
    )
  })

  it('a view that does not keep it, a moment that is not folded yet, and views of others are refused', () => {
    const { store, generation } = open()
    const live = foldAll({ store, generation }, [{ position: 5, changes: [] }], 1)
    const at = (position: bigint) => store.asOf(live, { position, time: null })
    expect(() => at(5n).query('present', {})).toThrow('present does not keep its past')
    expect(() => at(6n).query('tasks', {})).toThrow('tasks is folded up to 5, not up to 6')
    expect(() => at(5n).query('others', {})).toThrow(
      'there is no view others; there are tasks, loose, numbered, present',
    )
    store.close()
  })

  it('says which questions read all rows of the moment', () => {
    const { store, generation } = open()
    const live = foldAll({ store, generation }, [{ position: 5, changes: [] }], 1)
    const past = store.asOf(live, { position: 5n, time: null })
    const scans = questions.filter((question) => past.scanned('tasks', question) !== undefined)
    expect(scans).toEqual(questions.slice(-2))
    store.close()
  })
})

describe('rows that change with many events of a transaction', () => {
  /** Some two rows, which come and go. */
  const busy = fc.array(
    fc.record({
      task: fc.constantFrom(0, 0, 0, 1),
      isDeleted: fc.constantFrom(false, false, false, false, true),
    }),
    {
      minLength: 30,
      maxLength: 60,
    },
  )
  const logOf = (changes: readonly { readonly task: number; readonly isDeleted: boolean }[]): Log =>
    changes.map(({ task, isDeleted }, i) => ({
      position: 2 * i,
      changes: [
        {
          queue: 'a',
          task,
          isDeleted,
          state: i % 5 === 0 ? null : (['open', 'done'] as const)[i % 2],
          due: i % 4,
        },
      ],
    })) as Log

  it('P62 P63: answer as of each event of it, are compared version for version, and differ between any two', () => {
    fc.assert(
      fc.property(busy, fc.integer({ min: 20, max: 60 }), (changes, batch) => {
        const events = logOf(changes)
        const all = open()
        const live = foldAll(all, events, batch)
        const one = all.store.create('tasks', 1, shapes)
        const folded = open()
        folded.store.promote(folded.generation)
        const rowsAt: string[] = []
        for (const event of events) {
          foldOne(folded.store, folded.generation, [event])
          foldOne(all.store, one, [event])
          const past = pastAt(all.store, live, event.position)
          for (const view of [shape.name, numbered.name])
            expect(answersOf(past, view)).toEqual(answersOf(folded.store, view))
          rowsAt.push(JSON.stringify(folded.store.query('tasks', {})))
          const since = Math.floor(rowsAt.length / 2)
          const changed = past.changes('tasks', BigInt(2 * since), { limit: 10 }).changes
          expect(changed.length === 0).toBe(rowsAt[since] === undefined || rowsAt[since] === rowsAt.at(-1))
        }
        expect(all.store.compare(live, one)).toEqual([])
        folded.store.close()
        all.store.close()
      }),
      { numRuns: 4 },
    )
  })

  it('many versions share a record', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
    const store = openViewStore(join(folder, 'views.db'))
    const generation = store.create('tasks', 1, shapes)
    foldOne(store, generation, logOf(Array.from({ length: 3000 }, () => ({ task: 1, isDeleted: false }))))
    store.close()
    const db = new DatabaseSync(join(folder, 'views.db'))
    const { n } = db.prepare('SELECT COUNT(*) AS n FROM "tasks__1__past"').get() ?? {}
    expect(n).toBeGreaterThan(10)
    expect(n).toBeLessThan(3000 / 8)
    db.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a way back', () => {
  it('leads from any of many versions to any before it in few steps', () => {
    const ways: Back[] = [{ count: 0, before: null, far: [] }]
    const count = 5000
    for (let n = 1; n <= count; n++)
      ways.push(structuredClone(withRecord(structuredClone(ways.at(-1)), 3 * n)))
    for (const bound of [1, 2, 3, 4, 1500, 7777, 14_998, 15_000, 15_001]) {
      let [steps, found] = [0, undefined as number | undefined]
      for (let next = oldestFrom(ways[count] as Back, bound); next !== undefined; steps++) {
        found = next
        next = oldestFrom(ways[next / 3 - 1] as Back, bound)
      }
      expect(found).toBe(bound > 3 * count ? undefined : 3 * Math.ceil(bound / 3))
      expect(steps).toBeLessThan(40)
    }
  })
})

describe('how far back the past is kept', () => {
  it('P65: what is kept is what it was, what is older is refused, and a rebuild proves what both keep', () => {
    fc.assert(
      fc.property(log, fc.nat(), fc.constantFrom(shape.name, numbered.name), (events, one, view) => {
        const all = open()
        const live = foldAll(all, events, 2)
        const limit = events[one % events.length]?.position ?? 0
        const before = events.map(({ position }) => answersOf(pastAt(all.store, live, position), view))
        const rows = answersOf(all.store, view)
        const time = timeOf(limit)
        while (all.store.forgetPast(live, time));
        const kept = Number(all.store.pastFrom(live))
        expect(kept).toBeLessThanOrEqual(limit)
        expect(answersOf(all.store, view)).toEqual(rows)
        for (const [i, { position }] of events.entries())
          if (position >= kept) expect(answersOf(pastAt(all.store, live, position), view)).toEqual(before[i])
          else expect(() => pastAt(all.store, live, position).query(view, {})).toThrow(PastNotKept)
        // What is written next does not lean on what is gone.
        const last = events.at(-1)?.position ?? 0
        const later = events.map((event) => ({ ...event, position: last + 1 + event.position }))
        for (let i = 0; i < later.length; i += 2) foldOne(all.store, live, later.slice(i, i + 2))
        const other = all.store.create('tasks', 1, shapes)
        for (const event of [...events, ...later]) foldOne(all.store, other, [event])
        expect(all.store.compare(live, other)).toEqual([])
        for (const { position } of later)
          expect(answersOf(pastAt(all.store, live, position), view)).toEqual(
            answersOf(pastAt(all.store, other, position), view),
          )
        all.store.close()
      }),
      { numRuns: 20 },
    )
  })

  it('P65: what is forgotten is gone from the file, in parts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
    const store = openViewStore(join(folder, 'views.db'), { blockEntries: 8 })
    const generation = store.create('tasks', 1, shapes)
    store.promote(generation)
    const live: Generation = { ...generation, status: 'live' }
    const row = { queue: 'a', due: null, isDeleted: false } as const
    const count = 12_000
    for (let position = 0; position < count; position += 1000)
      foldOne(
        store,
        live,
        Array.from({ length: 1000 }, (_, i) => ({
          position: position + i,
          changes: [{ ...row, task: i % 10, state: i % 3 === 0 ? ('open' as const) : ('done' as const) }],
        })),
      )
    let parts = 0
    while (store.forgetPast(live, timeOf(count))) parts++
    expect(parts).toBeGreaterThan(0)
    store.close()
    const db = new DatabaseSync(join(folder, 'views.db'))
    const left = (table: string) => db.prepare(`SELECT COUNT(*) AS n FROM "tasks__1__${table}"`).get()?.n
    // Numbers go on from the last one.
    expect(left('past')).toBe(1)
    // Those of the last transactions are in blocks that are open still.
    for (const order of [0, 1, 2]) expect(left(`entries${order}`)).toBeLessThan(1100)
    db.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a question that reads all rows of its moment', () => {
  it('is answered up to so many, and refused behind that with what the view is asked by', () => {
    const store = openViewStore(':memory:', { maxScanned: 3 })
    const generation = store.create('tasks', 1, shapes)
    const changes = [1, 2, 3].map((task) => ({
      ...({ queue: 'a', task, due: 1, isDeleted: false, state: 'open' } as const),
    }))
    const live = foldAll({ store, generation }, [{ position: 0, changes }], 1)
    const scan = { where: [{ column: 'due', is: 'in', value: [1] }], limit: 1 } as const satisfies ViewQuery
    const tally = { by: ['queue'] }
    expect(pastAt(store, live, 0).scanned('tasks', scan)).toBe(3)
    expect(pastAt(store, live, 0).query('tasks', scan)).toHaveLength(1)
    expect(pastAt(store, live, 0).tally('tasks', tally)).toEqual([{ queue: 'a', count: 3 }])
    foldOne(store, live, [{ position: 1, changes: changes.slice(0, 1) }])
    const refused = 'few are read by its key (queue, task), or by state, or by due'
    expect(() => pastAt(store, live, 0).query('tasks', scan)).toThrow(refused)
    expect(() => pastAt(store, live, 0).tally('tasks', tally)).toThrow(TooManyRows)
    expect(pastAt(store, live, 0).query('tasks', { limit: 2 })).toHaveLength(2)
    store.close()
  })
})

describe('what differs between two moments', () => {
  const views = fc.constantFrom(shape.name, numbered.name)
  const byKey = (one: { readonly key: string }, other: { readonly key: string }) =>
    one.key < other.key ? -1 : 1
  it('where much does, is found in the order of the key', () => {
    const store = openViewStore(':memory:')
    const generation = store.create('tasks', 1, [shape])
    store.promote(generation)
    const live: Generation = { ...generation, status: 'live' }
    const rows = 20_500
    for (const [i, state] of ['open', 'done'].entries())
      store.fold(
        live,
        BigInt(i * rows - 1),
        { position: BigInt((i + 1) * rows - 1), time: null },
        ({ tasks }, begin) => {
          for (let task = 0; task < rows; task++) {
            const position = i * rows + task
            begin({ position: BigInt(position), recordedAt: timeOf(position) })
            tasks?.put({ queue: 'a', task, state, due: null, note: null, value: null })
          }
        },
      )
    const { changes, next } = pastAt(store, live, 40_999).changes('tasks', 20_499n, {
      limit: 3,
      after: ['a', 99],
    })
    expect(
      changes.map(({ key, before, after, positions }) => [key.task, before?.state, after?.state, positions]),
    ).toEqual([100, 101, 102].map((task) => [task, 'open', 'done', [BigInt(20_500 + task)]]))
    expect(next).toEqual(['a', 102])
    store.close()
  })

  it('P67: is what came, went and changed, and the events that wrote it, page by page', () => {
    fc.assert(
      fc.property(
        log,
        fc.integer({ min: 1, max: 4 }),
        fc.nat(),
        fc.nat(),
        views,
        (events, limit, one, two, view) => {
          const { store, generation } = open()
          const live = foldAll({ store, generation }, events, 3)
          const [since, until] = [one, two]
            .map((each) => events[each % events.length]?.position ?? 0)
            .toSorted((a, b) => a - b) as [number, number]
          const past = (position: number) => store.asOf(live, { position: BigInt(position), time: null })
          const rowsAt = (position: number) =>
            new Map(
              past(position)
                .query(view, {})
                .map((row) => [`${row.queue} ${row.task}`, row]),
            )
          const [before, after] = [rowsAt(since), rowsAt(until)]
          const expected = [...new Set([...before.keys(), ...after.keys()])]
            .toSorted()
            .filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)))
            .map((key) => ({ key, before: before.get(key), after: after.get(key) }))

          const found: RowChange[] = []
          let next: readonly Value[] | undefined
          do {
            const page = past(until).changes(view, BigInt(since), { limit, ...(next && { after: next }) })
            found.push(...page.changes)
            next = page.next
          } while (next)
          const shown = found.map(({ key, before, after }) => ({
            key: `${key.queue} ${key.task}`,
            before,
            after,
          }))
          // Ids come by their numbers.
          expect(view === numbered.name ? shown.toSorted(byKey) : shown).toEqual(expected)

          for (const { key, positions } of found) {
            const wrote = events.filter(
              ({ position, changes }) =>
                position > since &&
                position <= until &&
                changes.some(({ queue, task }) => queue === key.queue && task === key.task),
            )
            const all = wrote.map(({ position }) => BigInt(position))
            expect(positions.length).toBeGreaterThan(0)
            for (const position of positions) expect(all).toContain(position)
          }
          store.close()
        },
      ),
      { numRuns: 10 },
    )
  })
})
