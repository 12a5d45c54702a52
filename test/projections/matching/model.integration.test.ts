import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Row } from '#src/domain/kernel/view.ts'
import type { Facts } from '#src/domain/matching/events.ts'
import { type GraphChanged, graphStream } from '#src/domain/matching/graph/events.ts'
import type { Document } from '#src/domain/matching/merged/document.ts'
import { documentsOf } from '#src/domain/matching/merged/documents.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import type { TurnCause } from '#src/domain/matching/turn-cause.ts'
import { workStream } from '#src/domain/matching/work.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { history } from '#src/projections/matching/questions/history.ts'
import { oldestWaiting, stuck } from '#src/projections/matching/questions/stuck.ts'
import { whatIf } from '#src/projections/matching/questions/what-if.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { runs } from '../../runs.ts'
import type { Catalogue } from './catalogue.ts'
import { foldAll, openMatching } from './folding.ts'
import { ids, type Matched, matched, type Partition, type Step, steps, stepsWithCrashes } from './matched.ts'

/* The views and the questions against a plain model, over logs that the real graph and its cut wrote. */

const always = (
  arbitrary: fc.Arbitrary<readonly Step[]>,
  holds: (world: Matched, views: ViewStore) => void,
  all = 200,
) =>
  fc.assert(
    fc.property(arbitrary, (played) => {
      const world = matched(played)
      if (world.log.events.length === 0) return
      const { viewStore, generation } = openMatching()
      foldAll(viewStore, generation, world.log.events)
      holds(world, viewStore)
      viewStore.close()
    }),
    { numRuns: runs(all) },
  )

const membersOf = (views: ViewStore, generation: number): readonly (readonly [string, string])[] => {
  const where = [{ column: 'generation', is: '=', value: generation } as const]
  const byGraph = Map.groupBy(views.query('matching-members', { where }), ({ graph }) => graph)
  const named = (rows: readonly Row[], placeholder: 0 | 1) =>
    rows
      .filter((row) => row.placeholder === placeholder)
      .map(({ id }) => id)
      .join('')
  return [...byGraph.values()].map((rows) => [named(rows, 0), named(rows, 1)] as const).sort()
}

const componentsIn = (log: Catalogue) =>
  log
    .components()
    .map(({ members, placeholders }) => [members.map(([id]) => id).join(''), placeholders.join('')])

/** Rows of components agree with their members, and no other rows are there. */
const expectWhole = ({ log, generations }: Matched, views: ViewStore) => {
  for (const generation of generations) {
    expect(membersOf(views, generation)).toEqual(componentsIn(log).sort())
    const where = [{ column: 'generation', is: '=', value: generation } as const]
    const graphs = views.query('matching-graphs', { where })
    expect(
      graphs.map(({ component, size, held, placeholders }) => [component, size, held, placeholders]).sort(),
    ).toEqual(
      componentsIn(log)
        .map(([works = '', others = '']) => [works[0], works.length, works.length, others.length])
        .sort(),
    )
    const sizes = Map.groupBy(componentsIn(log), ([works = '']) => works.length)
    expect(
      views.query('matching-sizes', { where }).map(({ size, components }) => [size, components]),
    ).toEqual([...sizes].map(([size, all]) => [size, all.length]).sort(([a = 0], [b = 0]) => a - b))
  }
}

it('every generation holds the components of the latest facts (M9), listed beside live changes or published from the start', () => {
  always(steps, expectWhole)
})

it('and so it does after matchers that died in the middle of a change', () => {
  always(stepsWithCrashes, expectWhole, 400)
})

it('M3, M13: at every event of the log all of a change is shown, or none: also where its matcher died over it', () => {
  fc.assert(
    fc.property(stepsWithCrashes, (played) => {
      const { log, partitions } = matched(played)
      if (log.events.length === 0) return
      const shown = new Map(partitions.map(({ version, partition }) => [version, partition]))
      const { viewStore, generation } = openMatching()
      let last: Partition = new Map()
      for (const [i, event] of log.events.entries()) {
        foldAll(viewStore, generation, log.events.slice(i, i + 1))
        if (event.stream !== graphStream(1)) continue
        const { version, parts } = event.data as GraphChanged
        if (parts !== undefined) last = shown.get(version)!
        const graphs = viewStore.query('matching-graphs', {}).filter((row) => row.generation === 1)
        expect(graphs.map(({ held, size }) => [held, size])).toEqual(graphs.map(({ size }) => [size, size]))
        const expected = new Set([...last.values()].map((works) => works.join('')))
        expect(
          membersOf(viewStore, 1)
            .map(([works]) => works)
            // A placeholder that nobody names any more may be dropped by a later change than that of the works around it.
            .filter((works) => works !== '')
            .sort(),
        ).toEqual([...expected].sort())
      }
      viewStore.close()
    }),
    { numRuns: runs(300) },
  )
})

/** Where each work was after each version, by the turns alone. */
const replay = (views: ViewStore, versions: readonly number[]) => {
  const turnsIn = (view: string) =>
    Map.groupBy(
      views.query(view, { where: [{ column: 'generation', is: '=', value: 1 }] }),
      ({ version }) => version as number,
    )
  const [turns, graphTurns] = [turnsIn('matching-turns'), turnsIn('matching-graph-turns')]
  const graphs = new Map<string, unknown>()
  return versions.map((version) => {
    const before = new Map(graphs)
    for (const { work, graph } of turns.get(version) ?? []) graphs.set(work as string, graph)
    return { before, after: new Map(graphs), graphTurns: graphTurns.get(version) ?? [] }
  })
}
const inGraph = (graphs: ReadonlyMap<string, unknown>, number: unknown) =>
  [...graphs].filter(([, graph]) => graph === number).map(([work]) => work)

it('M13: turns, one after the other, give who was one with whom; those of a graph name who joined and who left', () => {
  always(steps, ({ partitions }, views) => {
    const replayed = replay(
      views,
      partitions.map(({ version }) => version),
    )
    for (const [i, { before, after, graphTurns }] of replayed.entries()) {
      const { partition } = partitions[i]!
      expect(after.size).toBe(partition.size)
      for (const [work, graph] of after) expect(inGraph(after, graph).sort()).toEqual(partition.get(work))
      for (const { graph, isNew, joined, left, some, gone, size } of graphTurns) {
        const [then, now] = [inGraph(before, graph), inGraph(after, graph)]
        expect(isNew === 1).toBe(then.length === 0)
        expect([...(some as string[])].sort()).toEqual(now.filter((work) => !then.includes(work)).sort())
        expect([...(gone as string[])].sort()).toEqual(then.filter((work) => !now.includes(work)).sort())
        expect([joined, left, size]).toEqual([
          (some as string[]).length,
          (gone as string[]).length,
          now.length,
        ])
      }
      // A graph of which works changed has a turn, unless it is new with one work in it, or no more.
      for (const graph of new Set(after.values())) {
        const [then, now] = [inGraph(before, graph).sort().join(), inGraph(after, graph).sort()]
        const isTold = graphTurns.some((turn) => turn.graph === graph)
        if (then !== now.join() && !(then === '' && now.length === 1)) expect(isTold).toBe(true)
      }
    }
  })
})

/** The update says what the cause says of the link. */
const expectTrue = (log: Catalogue, { work, revision, effect, from, to }: TurnCause): void => {
  const said = log.events.find(
    (event) => event.stream === workStream(work) && Number(event.revision) === revision,
  )
  const { state, links } = said!.data as Facts
  if (effect === 'described') return
  expect([from, to]).toContain(work)
  const isActive = state !== 'deleted' && (work === to || links.some((link) => link.to === to))
  expect(isActive).toBe(effect === 'linked')
}

it('a history has a line of each change of those who are one with the work, of their number, and of no other', () => {
  always(steps, ({ log, partitions }, views) => {
    for (const work of log.works.keys()) {
      const expected: [number, number][] = []
      let before = ''
      for (const { version, partition } of partitions) {
        const now = partition.get(work) ?? []
        if (now.join() !== before) expected.push([version, now.length])
        before = now.join()
      }
      const lines = history(views, work) ?? []
      const published = new Map(lines.map(({ version, size }) => [version, size]))
      expect([...published]).toEqual(expected)
      for (const { what, count, some, causes, caused } of lines) {
        expect(some.length).toBe(Math.min(count, 10))
        expect(causes.length).toBeGreaterThan(0)
        expect(causes.length).toBe(Math.min(caused, 5))
        for (const cause of causes) expectTrue(log, cause)
        const kinds = new Set(causes.map(({ effect }) => effect))
        if (what === 'left' || what === 'lost') expect(kinds).toContain('unlinked')
        else expect(kinds).not.toEqual(new Set(['unlinked']))
        if (what === 'first' || what === 'joined' || what === 'left') expect(some).toContain(work)
        else expect(some).not.toContain(work)
      }
    }
  })
})

it('the fact that parted a graph is named, though it stands behind the parts that come first', () => {
  const { log } = matched([
    { kind: 'say', id: 'A', said: { links: ['E'] } },
    { kind: 'say', id: 'B', said: { links: ['E'] } },
    { kind: 'flush', piece: 1 },
    { kind: 'say', id: 'E', said: { state: 'deleted' } },
    { kind: 'flush', piece: 1 },
  ])
  const { viewStore, generation } = openMatching()
  foldAll(viewStore, generation, log.events)
  const lastOf = (work: string) => history(viewStore, work)?.at(-1)
  const cause = { work: 'E', revision: 0, effect: 'unlinked', from: 'B', to: 'E' }
  expect(lastOf('A')).toMatchObject({ what: 'lost', some: ['B'], causes: [cause], caused: 1 })
  expect(lastOf('B')).toMatchObject({ what: 'left', some: ['B'], causes: [cause], caused: 1 })
  const answer = why(viewStore, 'A', 'B')
  expect(answer?.kind === 'apart' && answer.lastTogether?.causes).toEqual([cause])
  viewStore.close()
})

it('why: together or apart as they are, by links that are stated; since or until the version in which they met or parted', () => {
  always(
    steps,
    ({ log, partitions }, views) => {
      const works = [...log.works.keys()]
      const timesOf = (version: number | undefined) =>
        log.events
          .filter(
            ({ type, data }) => type === 'GraphChanged' && (data as { version: number }).version === version,
          )
          .map(({ recordedAt }) => recordedAt)
      const isStated = (from: string, to: string) => log.works.get(from)?.links.includes(to) ?? false
      for (const a of works)
        for (const b of works.filter((other) => other !== a)) {
          const were = partitions.map(({ partition }) => partition.get(a)?.includes(b) ?? false)
          const turned = partitions.filter((_, i) => were[i] !== (were[i - 1] ?? false)).at(-1)
          const answer = why(views, a, b)
          if (!were.at(-1)) {
            expect(answer).toMatchObject({ kind: 'apart' })
            expect(answer?.kind === 'apart' && answer.lastTogether?.version).toBe(turned?.version)
            continue
          }
          if (answer?.kind !== 'together') throw new Error(`${a} and ${b} are together`)
          expect(timesOf(turned?.version)).toContain(answer.since)
          expect(answer.path.map(({ to }) => to).at(-1)).toBe(b)
          for (const [i, { from, to, links }] of answer.path.entries()) {
            expect(from).toBe(i === 0 ? a : answer.path[i - 1]?.to)
            expect(links.map((link) => `${link.from}${link.to}`)).toEqual(
              [`${from}${to}`, `${to}${from}`].filter((pair) => isStated(pair[0]!, pair[1]!)),
            )
            expect(links.length).toBeGreaterThan(0)
          }
        }
    },
    100,
  )
})

const inWords = (document: Document | undefined) =>
  document?.kind === 'redirect' ? `redirect to ${document.to}` : document?.kind

/** What every work of these components is shown as. */
const shown = (log: Catalogue, components: readonly (readonly string[])[]) =>
  new Map(
    components.flatMap((members) => {
      const works = members.map((id) => ({ id, ...log.works.get(id)! }))
      return [...documentsOf({ component: members[0]!, members: works }, defaultRules)]
    }),
  )

it('M17: at rest nothing is stuck, in any generation', () => {
  always(steps, ({ log, generations }, views) => {
    const before = log.events.length
    for (const generation of generations)
      for (const graph of views.query('matching-graphs', {}).filter((row) => row.generation === generation)) {
        const members = log.components().find(({ members }) => members[0]![0] === graph.component)!.members
        for (const [work, made] of shown(log, [members.map(([id]) => id)]))
          log.document(work, made, { generation, version: graph.version as number })
      }
    const live = views.live('matching')!
    if (log.events.length > before) foldAll(views, live, log.events)
    for (const generation of generations) {
      expect(stuck(views, '2027-01-01T00:00:00.000Z', { generation })).toEqual([])
      expect(oldestWaiting(views, { generation })).toEqual({ work: undefined, graph: undefined })
    }
  })
})

it('what-if is what comes of really doing it, for all works there are', () => {
  const change = fc.record({
    kind: fc.constantFrom('drop' as const, 'add' as const),
    from: fc.constantFrom(...ids.slice(0, 6)),
    to: fc.constantFrom(...ids),
  })
  fc.assert(
    fc.property(steps, change, (played, { kind, from, to }) => {
      const { log, graph } = matched(played)
      const known = log.works.get(from)
      if (!known || from === to) return
      const { viewStore, generation } = openMatching()
      foldAll(viewStore, generation, log.events)
      const answer = whatIf(viewStore, { kind, from, to })!
      viewStore.close()

      const all = () =>
        [...new Set([...log.works.keys()].map((id) => componentText(id)))].map((text) => text.split(''))
      const componentText = (id: string) =>
        graph
          .componentOf(id)!
          .members.map(([member]) => member)
          .join('')
      const before = shown(log, all())
      const beforeText = new Map([...log.works.keys()].map((id) => [id, componentText(id)]))
      const others = known.links.filter((link) => link !== to)
      const links = kind === 'add' ? [...others, to] : others
      graph.apply({ id: from, revision: 99, deleted: known.state === 'deleted', links })
      const after = shown(log, all())

      expect(answer.changed).toEqual(
        [...log.works.keys()]
          .sort()
          .map((work) => ({ work, before: inWords(before.get(work)), after: inWords(after.get(work)) }))
          .filter((one) => one.before !== one.after),
      )
      const concerned = answer.before.flatMap(({ members }) => members)
      expect(answer.before.map(({ members }) => members.join('')).sort()).toEqual(
        [...new Set(concerned.map((id) => beforeText.get(id)))].sort(),
      )
      expect(answer.after.map(({ members }) => members.join('')).sort()).toEqual(
        [...new Set(concerned.map(componentText))].sort(),
      )
      expect(concerned).toContain(from)
    }),
    { numRuns: runs(300) },
  )
})
