import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { workDecider } from '#src/domain/matching/decide.ts'
import { mergedDecider } from '#src/domain/matching/merged/decide.ts'
import { documentsOf } from '#src/domain/matching/merged/documents.ts'
import { defaultRules } from '#src/domain/matching/merged/rules.ts'
import { observe } from './works.ts'

/*
 * Why graphs have versions of their own: the worked example that made the old rule fail, under both rules. Works are
 * paired as AB and CD and ought to be AD and BC; the four corrections arrive in the wrong order, B's the last.
 */

/** A record as its source last described it: at which time, and what it names. */
interface Source {
  readonly time: number
  readonly to: readonly string[]
}
type Catalogue = ReadonlyMap<string, Source>

const start: Catalogue = new Map([
  ['A', { time: 0, to: ['B'] }],
  ['B', { time: 0, to: [] }],
  ['C', { time: 0, to: ['D'] }],
  ['D', { time: 0, to: ['C'] }],
])
const D = ['D', { time: 4, to: ['A'] }] as const
const A = ['A', { time: 1, to: ['D'] }] as const
const C = ['C', { time: 3, to: ['B'] }] as const
const B = ['B', { time: 2, to: ['C'] }] as const
type Update = readonly [string, Source]

const componentsOf = (catalogue: Catalogue): readonly (readonly string[])[] => {
  const left = new Set(catalogue.keys())
  const isLinked = (one: string, other: string) =>
    catalogue.get(one)?.to.includes(other) || catalogue.get(other)?.to.includes(one)
  return [...catalogue.keys()].flatMap((first) => {
    if (!left.delete(first)) return []
    const component = [first]
    for (const member of component)
      for (const other of left) if (isLinked(member, other) && left.delete(other)) component.push(other)
    return [component.toSorted()]
  })
}

/** The old and the new component of a work, as they are now: all that an update concerns, and nobody else. */
const affected = (work: string, before: Catalogue, now: Catalogue): readonly (readonly string[])[] => {
  const concerned = new Set(
    [before, now].flatMap((catalogue) => componentsOf(catalogue).find((some) => some.includes(work)) ?? []),
  )
  return componentsOf(now).filter((component) => component.some((member) => concerned.has(member)))
}

const changed = (catalogue: Catalogue, [work, source]: Update): Catalogue =>
  new Map(catalogue).set(work, source)

describe('M1, M2: the rule that was, the newest source time of a message as the version of all in it', () => {
  /** What the index holds: for each work a version, and the source time of the record that it shows. */
  type Index = ReadonlyMap<string, { readonly version: number; readonly shows: number }>

  const versionOf = (message: readonly string[], now: Catalogue) =>
    Math.max(...message.map((work) => now.get(work)!.time))

  const send = (index: Index, message: readonly string[], now: Catalogue) => {
    const version = versionOf(message, now)
    const refused = message.filter((work) => version < (index.get(work)?.version ?? 0))
    const taken = message.filter((work) => !refused.includes(work))
    return {
      refused,
      version,
      index: new Map([
        ...index,
        ...taken.map((work) => [work, { version, shows: now.get(work)!.time }] as const),
      ]),
    }
  }

  const indexed = (catalogue: Catalogue): Index =>
    componentsOf(catalogue).reduce<Index>(
      (index, message) => send(index, message, catalogue).index,
      new Map(),
    )

  const run = (updates: readonly Update[]) => {
    let catalogue = start
    let index = indexed(start)
    const steps = updates.map((update) => {
      const now = changed(catalogue, update)
      const sent = send(index, affected(update[0], catalogue, now).flat(), now)
      catalogue = now
      index = sent.index
      return { ...sent, versions: versionsOf(sent.index) }
    })
    return { catalogue, index, steps }
  }
  const versionsOf = (index: Index) => ['A', 'B', 'C', 'D'].map((work) => index.get(work)?.version)

  it('M1: once D was seen, all four stand at 4, and stay there', () => {
    expect(versionsOf(indexed(start))).toEqual([0, 0, 0, 0])
    expect(run([D, A, C]).steps).toMatchObject([
      { versions: [4, 4, 4, 4], refused: [] },
      { versions: [4, 4, 4, 4], refused: [] },
      { versions: [4, 4, 4, 4], refused: [] },
    ])
  })

  it('M1: the update of B comes with version 3 and is refused, for B and for C', () => {
    const last = run([D, A, C, B]).steps.at(-1)
    expect(last).toMatchObject({ version: 3, refused: ['B', 'C'], versions: [4, 4, 4, 4] })
    expect(last?.index.get('B')).toEqual({ version: 4, shows: 0 })
  })

  it('M2: however often B is delivered again, it is refused again', () => {
    const { steps, index } = run([D, A, C, B, B, B, B])
    expect(steps.slice(4).map(({ refused }) => refused)).toEqual([
      ['B', 'C'],
      ['B', 'C'],
      ['B', 'C'],
    ])
    expect(index.get('B')?.shows).toBe(0)
  })

  it('M2: a fresh run over the same records shows another archive', () => {
    const live = run([D, A, C, B])
    const fresh = indexed(live.catalogue)
    expect(versionsOf(fresh)).toEqual([4, 3, 3, 4])
    expect(fresh.get('B')?.shows).toBe(2)
    expect(live.index.get('B')?.shows).toBe(0)
  })
})

describe('M3, M4, M13, M14: the rule that is, the version of the graph', () => {
  /** Documents of one graph version, as the merger sends them. */
  interface Result {
    readonly clock: number
    readonly components: readonly (readonly string[])[]
    readonly titles: ReadonlyMap<string, string>
  }

  type States = ReadonlyMap<string, typeof mergedDecider.initial>

  /** The decider of each work takes its word; the clock of the matcher is given. */
  const matchAll = (
    ...batches: readonly { readonly clock: number; readonly updates: readonly Update[] }[]
  ) => {
    let catalogue: Catalogue = new Map()
    const streams = new Map<string, typeof workDecider.initial>()
    const titles = new Map<string, string>()
    return batches.map(({ clock, updates }): Result => {
      const before = catalogue
      for (const [work, { time, to }] of updates) {
        const links = to.map((other) => ({ to: other, reason: 'same as' }))
        const said = observe(time, { work, links, title: `${work} of ${time}` })
        const events = workDecider.decide(said, streams.get(work))
        if (!isRight(events)) throw new Error(events.left.message)
        streams.set(work, events.right.reduce(workDecider.evolve, streams.get(work)))
        for (const { type, data } of events.right)
          if (type === 'WorkObserved') {
            catalogue = changed(catalogue, [work, { time, to: data.links.map((link) => link.to) }])
            titles.set(work, data.title ?? '')
          }
      }
      const now = catalogue
      const components = updates.flatMap(([work]) => affected(work, before, now))
      return { clock, components, titles: new Map(titles) }
    })
  }

  /** Versions are positive: the clock's 0 is version 1. */
  const versionAt = (clock: number) => clock + 1

  const index = (states: States, { clock, components, titles }: Result): States => {
    const after = new Map(states)
    for (const component of components) {
      const members = component.map((id) => ({
        id,
        source: 's',
        state: 'visible' as const,
        title: titles.get(id),
      }))
      for (const [work, document] of documentsOf({ component: component[0]!, members }, defaultRules)) {
        const state = after.get(work) ?? mergedDecider.initial
        const decided = mergedDecider.decide(
          {
            type: 'Index',
            work,
            generation: 1,
            version: versionAt(clock),
            document,
            actor: 'merger',
            at: '2021-04-16T00:00:00.000Z',
          },
          state,
        )
        if (isRight(decided)) after.set(work, decided.right.reduce(mergedDecider.evolve, state))
      }
    }
    return after
  }

  const works = ['A', 'B', 'C', 'D']
  const clocksOf = (states: States) =>
    works.map((work) => (states.get(work)?.get(1)?.version ?? 0) - versionAt(0))
  const shownIn = (states: States) => works.map((work) => states.get(work)?.get(1)?.content)

  /** The matcher stands at 5 when it sees D, at 6 for A and for C, at 7 for B. */
  const results = matchAll(
    { clock: 0, updates: [...start] },
    { clock: 5, updates: [D] },
    { clock: 6, updates: [A] },
    { clock: 6, updates: [C] },
    { clock: 7, updates: [B] },
  )

  it('components are those of the example', () => {
    expect(results.slice(1).map(({ components }) => components.map((some) => some.join('')))).toEqual([
      ['ABCD'],
      ['ACD', 'B'],
      ['AD', 'BC'],
      ['BC'],
    ])
  })

  it('every document of a component gets its version, nobody else’s changes', () => {
    const table = results.map((_, i) => clocksOf(results.slice(0, i + 1).reduce(index, new Map())))
    expect(table).toEqual([
      [0, 0, 0, 0],
      [5, 5, 5, 5],
      [6, 6, 6, 6],
      [6, 6, 6, 6],
      [6, 7, 7, 6],
    ])
  })

  it('the update of B is shown', () => {
    const shown = shownIn(results.reduce(index, new Map()))
    expect(shown.map((text) => JSON.parse(text ?? 'null'))).toEqual([
      { kind: 'merged', component: 'A', size: 2, from: ['D'], title: 'A of 1', fields: {} },
      { kind: 'merged', component: 'B', size: 2, from: ['C'], title: 'B of 2', fields: {} },
      { kind: 'redirect', component: 'B', to: 'B' },
      { kind: 'redirect', component: 'A', to: 'A' },
    ])
  })

  it('A and C in one batch are one change, and come to the same', () => {
    const batched = matchAll(
      { clock: 0, updates: [...start] },
      { clock: 5, updates: [D] },
      { clock: 6, updates: [A, C] },
      { clock: 7, updates: [B] },
    )
    const end = batched.reduce(index, new Map())
    expect(clocksOf(end)).toEqual([6, 7, 7, 6])
    expect(shownIn(end)).toEqual(shownIn(results.reduce(index, new Map())))
  })

  it('M10: results of different versions may arrive in any order and more than once', () => {
    // The two of clock 6 keep their order: of equal versions the later arrival counts, and the matcher gives out no two.
    const [first, second, third, fourth, fifth] = results as [Result, Result, Result, Result, Result]
    const end = results.reduce(index, new Map())
    for (const order of permutations([[first], [second], [third, fourth], [fifth]])) {
      const arrived = [...order, ...order.toReversed().slice(0, 2)].flat()
      const states = arrived.reduce(index, new Map())
      expect(clocksOf(states)).toEqual([6, 7, 7, 6])
      expect(shownIn(states)).toEqual(shownIn(end))
    }
  })

  it('M9: a fresh run over the latest records shows the same', () => {
    const fresh = matchAll({ clock: 9, updates: [A, B, C, D] }).reduce(index, new Map())
    expect(shownIn(fresh)).toEqual(shownIn(results.reduce(index, new Map())))
  })
})

const permutations = <A>(items: readonly A[]): readonly (readonly A[])[] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((others) => [item, ...others]))
