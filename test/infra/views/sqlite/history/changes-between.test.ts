import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import type { Value } from '../../../../../src/domain/kernel/view.ts'
import type { Generation, RowChange } from '../../../../../src/ports/view-store.ts'
import { runs } from '../../../../runs.ts'
import { foldAll, log, numbered, open, shape, timeOf, viewsAt } from './tasks.ts'

/* Page P67: what differs between two moments. */

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
    const { changes, next } = viewsAt(store, live, 40_999).changes('tasks', 20_499n, {
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
          const asOf = (position: number) => store.asOf(live, { position: BigInt(position), time: null })
          const rowsAt = (position: number) =>
            new Map(
              asOf(position)
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
            const page = asOf(until).changes(view, BigInt(since), { limit, ...(next && { after: next }) })
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
      { numRuns: runs(10) },
    )
  })
})
