import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { matching } from '#src/projections/matching/projection.ts'
import { asOf } from '#src/projections/runtime/as-of.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { runs } from '../../runs.ts'
import { type Catalogue, catalogue, t } from './catalogue.ts'
import { foldAll, openMatching } from './folding.ts'

/* Whatever is said of works, in whatever order the matcher and the merger get to it. */

const ids = ['A', 'B', 'C', 'D', 'E', 'F']

const said = fc.record({
  kind: fc.constant('say' as const),
  id: fc.constantFrom(...ids.slice(0, 5)),
  links: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
  state: fc.constantFrom('visible' as const, 'visible' as const, 'invisible' as const, 'deleted' as const),
})
const step = fc.oneof(
  { weight: 5, arbitrary: said },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('flush' as const), piece: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const play = (log: Catalogue, steps: readonly Step[]) => {
  for (const one of steps)
    if (one.kind === 'say') log.say(one.id, one)
    else if (one.kind === 'flush') log.flush(one)
    else log.merge()
  log.flush()
  log.merge()
}

const always = (holds: (log: Catalogue, views: ViewStore) => void) =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const log = catalogue()
      play(log, steps)
      if (log.events.length === 0) return
      const { viewStore, generation } = openMatching()
      foldAll(viewStore, generation, log.events)
      holds(log, viewStore)
      viewStore.close()
    }),
    { numRuns: runs(150) },
  )

const versionOf = ({ data }: RecordedEvent) => (data as { readonly version: number }).version

const text = (row: Row, ...columns: string[]) => columns.map((column) => row[column]).join(' ')

describe('the views', () => {
  it('are the same however many events are folded in one transaction, and whatever is held in memory', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (steps, batch) => {
        const log = catalogue()
        play(log, steps)
        if (log.events.length === 0) return
        const { viewStore, generation } = openMatching({ rowBytes: 4000 })
        foldAll(viewStore, generation, log.events)
        const other = viewStore.create(matching.name, matching.version, matching.views)
        foldAll(viewStore, other, log.events, batch)
        expect(viewStore.compare(generation, other)).toEqual([])
        viewStore.close()
      }),
      { numRuns: runs(60) },
    )
  })

  it('hold the components of the latest facts (M9), each in a graph of its own', () => {
    always((log, views) => {
      const expected = log
        .components()
        .map(({ members, placeholders }) => [members.map(([id]) => id).join(' '), placeholders.join(' ')])
      const byGraph = Map.groupBy(views.query('matching-members', {}), ({ graph }) => graph)
      const held = [...byGraph.values()].map((rows) => [
        rows
          .filter(({ placeholder }) => placeholder === 0)
          .map(({ id }) => id)
          .join(' '),
        rows
          .filter(({ placeholder }) => placeholder === 1)
          .map(({ id }) => id)
          .join(' '),
      ])
      expect(held.sort()).toEqual(expected.sort())
      expect(views.query('matching-graphs', {}).map(({ graph }) => graph)).toEqual(
        [...byGraph.keys()].sort((a, b) => (a as number) - (b as number)),
      )
      for (const graph of views.query('matching-graphs', {})) {
        const rows = byGraph.get(graph.graph) ?? []
        expect(graph.held).toBe(graph.size)
        expect(graph.size).toBe(rows.filter(({ placeholder }) => placeholder === 0).length)
        expect(graph.placeholders).toBe(rows.filter(({ placeholder }) => placeholder === 1).length)
      }
    })
  })

  it('are at rest once everything is published and merged: one version a graph, nothing waits, nothing is wrong', () => {
    always((_, views) => {
      for (const graph of views.query('matching-graphs', {})) {
        expect(graph).toMatchObject({ waitingSince: null, fault: null, indexed: graph.size })
        const members = views
          .query('matching-members', { where: [{ column: 'graph', is: '=', value: graph.graph as number }] })
          .filter(({ placeholder }) => placeholder === 0)
        for (const { id } of members) {
          const [document] = views.query('matching-merged', {
            where: [{ column: 'work', is: '=', value: id as string }],
          })
          expect(document).toMatchObject({ version: graph.version, component: graph.component })
        }
      }
      expect(views.query('matching-works', {}).filter((row) => row.unmatchedSince !== null)).toEqual([])
    })
  })

  it('count sizes, placeholders and links as they are', () => {
    always((log, views) => {
      const counts = new Map<number, number>()
      for (const { size } of views.query('matching-graphs', {}))
        counts.set(size as number, (counts.get(size as number) ?? 0) + 1)
      expect(views.query('matching-sizes', {}).map((row) => text(row, 'size', 'components'))).toEqual(
        [...counts].sort(([a], [b]) => a - b).map((pair) => pair.join(' ')),
      )
      const named = new Map<string, number>()
      for (const { links } of log.works.values())
        for (const to of links) if (!log.works.has(to)) named.set(to, (named.get(to) ?? 0) + 1)
      expect(views.query('matching-placeholders', {}).map((row) => text(row, 'id', 'namedBy'))).toEqual(
        [...named].sort().map((pair) => pair.join(' ')),
      )
      expect(views.query('matching-links', {}).map((row) => text(row, 'from', 'to'))).toEqual(
        [...log.works].flatMap(([from, { links }]) => links.map((to) => `${from} ${to}`)).sort(),
      )
    })
  })

  it('come right again when changes were published in part, by an older matcher that died, and are published anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.infiniteStream(fc.nat(2)), (steps, parts) => {
        const log = catalogue({ isOlder: true })
        play(log, steps)
        const lost = new Set<RecordedEvent>()
        const changes = log.events.filter(({ type }) => type === 'GraphChanged')
        for (const published of Map.groupBy(changes, (event) => versionOf(event)).values()) {
          const kept = parts.next().value ?? 0
          if (kept < 2) for (const event of published.slice(kept)) lost.add(event)
        }
        for (const [id, said] of log.works) log.say(id, said)
        log.flush({ piece: 2 })
        if (log.events.length === 0) return

        const { viewStore, generation } = openMatching()
        foldAll(
          viewStore,
          generation,
          log.events.filter((event) => !lost.has(event)),
        )
        const members = viewStore.query('matching-members', {
          where: [{ column: 'placeholder', is: '=', value: 0 }],
        })
        const byGraph = Map.groupBy(members, ({ graph }) => graph)
        const held = viewStore
          .query('matching-graphs', {})
          .map(({ graph, size, held }) => [
            (byGraph.get(graph) ?? []).map(({ id }) => id).join(' '),
            size,
            held,
          ])
        const expected = log
          .components()
          .map(({ members: { length }, members }) => [members.map(([id]) => id).join(' '), length, length])
        expect(held.sort()).toEqual(expected.sort())
        viewStore.close()
      }),
      { numRuns: runs(150) },
    )
  })

  it('tell by their turns where every work is, and every graph’s size', () => {
    always((_, views) => {
      const inOrder = { orderBy: [{ column: 'version' }] }
      const turns = views.query('matching-turns', inOrder)
      const last = new Map(turns.map((turn) => [turn.work, turn]))
      for (const { id, graph, placeholder } of views.query('matching-members', {}))
        if (placeholder === 0) expect(last.get(id)?.graph).toBe(graph)
      const sizes = new Map<unknown, number>()
      for (const turn of views.query('matching-graph-turns', inOrder)) {
        const size =
          (sizes.get(turn.graph) ?? (turn.isNew === 1 ? 0 : 1)) +
          (turn.joined as number) -
          (turn.left as number)
        expect(size).toBe(turn.size)
        sizes.set(turn.graph, size)
      }
    })
  })
})

it('as of a time, the views are what they were', async () => {
  const log = catalogue()
  log.say('A', { links: ['B'] })
  log.say('B')
  log.flush()
  log.say('A')
  log.flush()
  let next = 0
  const eventStore = fakeEventStore({ now: () => log.events[next++]?.recordedAt ?? t(99) })
  for (const { stream, id, type, data, metadata } of log.events)
    await eventStore.append(stream, 'any', [{ id, type, data, metadata }])()
  const { viewStore } = openMatching()
  const graphsAt = async (time: string) => {
    const past = await asOf([matching], { eventStore, viewStore }, { time })
    const rows = past.query('matching-graphs', {}).map(({ component, size }) => [component, size])
    past.close()
    return rows
  }
  expect(await graphsAt(t(2))).toEqual([['A', 2]])
  expect(await graphsAt(t(4))).toEqual([
    ['A', 1],
    ['B', 1],
  ])
})
