import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Component, Family } from '../../../../src/domain/matching/graph/component.ts'
import { type Cause, type Group, graphEvents } from '../../../../src/domain/matching/graph/events.ts'
import type { DecidingLink } from '../../../../src/domain/matching/graph/link-changes.ts'
import {
  type ChangePart,
  type SplitChange,
  splitIntoChanges,
  splitLimits,
} from '../../../../src/domain/matching/graph/split.ts'
import { byId, maxIdLength } from '../../../../src/domain/matching/work.ts'

const ids = (count: number, length = 8, letter = 'w') =>
  Array.from({ length: count }, (_, i) => `${letter}${i}`.padEnd(length, '€')).sort(byId)
const component = (members: readonly string[], placeholders: readonly string[] = []): Component => ({
  members: members.map((id, i): [string, number] => [id, i]),
  placeholders,
})
const causesOf = (works: readonly string[]) =>
  new Map(works.map((work): [string, Cause] => [work, { work, revision: 3, type: 'WorkObserved' }]))
function* alone(families: Iterable<readonly Component[]>): Generator<Family> {
  for (const components of families) yield { components, links: [] }
}

const changes = (
  families: Iterable<readonly Component[]>,
  causes = causesOf([]),
  dropped: readonly string[] = [],
  limits = splitLimits,
): readonly SplitChange[] => [...splitIntoChanges(alone(families), causes, dropped, limits)]

/** Each component a family of its own: the appends of all changes. */
const cut = (
  components: readonly Component[],
  ...rest: readonly [causes?: Map<string, Cause>, dropped?: readonly string[], limits?: typeof splitLimits]
): readonly (readonly ChangePart[])[] =>
  changes(
    components.map((one) => [one]),
    ...rest,
  ).flat()

const entriesIn = ({ causes, groups, dropped }: ChangePart): number =>
  groups.reduce(
    (sum, { members, placeholders }) => sum + members.length + placeholders.length,
    causes.length + dropped.length,
  )
const bytesOf = (cuts: ChangePart | readonly ChangePart[]) => Buffer.byteLength(JSON.stringify(cuts))
const groupsOf = (appends: readonly (readonly ChangePart[])[]): readonly Group[] =>
  appends.flat().flatMap(({ groups }) => groups)

/** The components that some groups are the pieces of, in order. */
const glued = (groups: readonly Group[]): readonly Component[] => {
  const whole: { members: Component['members'][number][]; placeholders: string[] }[] = []
  for (const { piece, members, placeholders } of groups) {
    if (piece === 0) whole.push({ members: [], placeholders: [] })
    whole.at(-1)!.members.push(...members)
    whole.at(-1)!.placeholders.push(...placeholders)
  }
  return whole
}

describe('a change as events', () => {
  test('small components share one event; each cause stands beside its group', () => {
    const [one, other] = [component(['a', 'b'], ['x']), component(['c'])]
    const appends = cut([one, other], causesOf(['c', 'b']), ['y'])
    expect(appends).toEqual([
      [
        {
          causes: [...causesOf(['b', 'c']).values()],
          groups: [
            {
              component: 'a',
              size: 2,
              piece: 0,
              pieces: 1,
              members: [
                ['a', 0],
                ['b', 1],
              ],
              placeholders: ['x'],
            },
            { component: 'c', size: 1, piece: 0, pieces: 1, members: [['c', 0]], placeholders: [] },
          ],
          dropped: ['y'],
        },
      ],
    ])
  })

  test('nothing is no append', () => expect(cut([])).toEqual([]))

  test('what only drops ids, or only has causes, is published', () => {
    expect(cut([], causesOf([]), ['y'])).toEqual([[{ causes: [], groups: [], dropped: ['y'] }]])
    expect(cut([], causesOf(['a'])).flat()).toMatchObject([{ causes: [{ work: 'a' }], groups: [] }])
  })

  test('a component of 5,000 comes in pieces, in consecutive events, sorted across them', () => {
    const [members, placeholders] = [ids(5000), ids(700, 8, 'p')]
    const whole = component(members, placeholders)
    const events = cut([component(['a']), whole, component(['z'])], causesOf(members.slice(0, 900))).flat()
    const pieces = events.flatMap(({ groups }) => groups.filter(({ component }) => component === members[0]))
    expect(pieces.length).toBeGreaterThanOrEqual(7)
    expect(pieces.map(({ piece }) => piece)).toEqual(pieces.map((_, i) => i))
    for (const { size, pieces: count, members } of pieces) {
      expect({ size, count }).toEqual({ size: 5000, count: pieces.length })
      expect(members.length).toBeGreaterThan(0)
    }
    expect(glued(pieces)).toEqual([whole])
    expect(events.flatMap(({ causes }) => causes)).toHaveLength(900)
    expect(Math.max(...events.map(entriesIn))).toBeLessThanOrEqual(1000)
  })

  test('long ids: events and appends stay small enough for any log', () => {
    const members = ids(1200, maxIdLength)
    const appends = cut(
      [component(members, ids(300, maxIdLength, 'p'))],
      causesOf(members),
      ids(200, maxIdLength, 'd'),
    )
    for (const append of appends) {
      expect(bytesOf(append)).toBeLessThanOrEqual(splitLimits.maxAppendBytes)
      for (const event of append) expect(bytesOf(event)).toBeLessThanOrEqual(splitLimits.maxEventBytes)
    }
    expect(appends.length).toBeGreaterThan(10)
    expect(groupsOf(appends).flatMap((group) => group.members)).toHaveLength(1200)
    expect(appends.flat().flatMap(({ dropped }) => dropped)).toHaveLength(200)
  })

  test('is cut while it is read: what is behind is not asked for before its time', () => {
    let made = 0
    function* many(): Generator<readonly Component[]> {
      for (const id of ids(1_000_000)) {
        made++
        yield [component([id])]
      }
    }
    const split = splitIntoChanges(alone(many()), causesOf([]), [])
    expect(made).toBe(0)
    const first = split.next().value as SplitChange
    expect(first).toHaveLength(1)
    expect(made).toBe(groupsOf(first).length + 1)
    expect(groupsOf(first).length).toBeGreaterThan(2000)
  })

  test('a change is one append; only a family that is too large for one is a change of several, alone', () => {
    const limits = { maxEntries: 10, maxEventBytes: 10_000, maxAppendBytes: 1200 }
    const [many, few] = [ids(30, 8, 'm'), ids(3, 8, 'f')]
    const split = changes(
      [[component(few)], many.map((id) => component([id])), ...ids(12).map((id) => [component([id])])],
      causesOf([]),
      ['y'],
      limits,
    )
    const sizes = split.map((change) => groupsOf(change).length)
    expect(sizes.slice(0, 2)).toEqual([1, 30])
    expect(sizes.slice(2).reduce((sum, size) => sum + size)).toBe(12)
    expect(split.map((change) => change.length > 1)).toEqual(split.map((_, i) => i === 1))
  })

  test('a cause of very many links comes in several, which events have room for; each link once', () => {
    const spokes = ids(5000)
    const links = spokes.map(
      (to): DecidingLink => ({ from: 'hub', to, effect: 'lost', work: 'hub', revision: 7 }),
    )
    const families = [{ components: [component(['hub']), ...spokes.map((id) => component([id]))], links }]
    const events = [...splitIntoChanges(families, causesOf(['hub']), [])].flat(2)
    for (const event of events) expect(bytesOf(event)).toBeLessThanOrEqual(splitLimits.maxEventBytes)
    const causes = events.flatMap((event) => event.causes)
    expect(new Set(causes.map(({ work, revision }) => `${work} ${revision}`))).toEqual(new Set(['hub 3']))
    expect(causes.length).toBeGreaterThan(10)
    expect(causes.flatMap(({ lost = [] }) => lost)).toEqual(spokes.map((to) => ['hub', to, 7]))
  })

  test('links of one work stand by what they did', () => {
    const link = { from: 'a', to: 'b', work: 'a', revision: 3 }
    const links: readonly DecidingLink[] = [
      { ...link, effect: 'made' },
      { ...link, to: 'c', effect: 'lost', revision: 2 },
    ]
    const families = [{ components: [component(['a', 'b'])], links }]
    expect([...splitIntoChanges(families, causesOf(['a']), [])].flat(2)[0]?.causes).toEqual([
      { work: 'a', revision: 3, type: 'WorkObserved', made: [['a', 'b', 3]], lost: [['a', 'c', 2]] },
    ])
  })

  const id = fc.string({
    minLength: 1,
    maxLength: 40,
    unit: fc.constantFrom('a', '"', '\\', 'é', '語', '😀'),
  })
  const some = fc.uniqueArray(id, { maxLength: 60 }).map((found) => found.sort(byId))
  const anyChange = fc.record({
    families: fc.array(
      fc.array(fc.record({ members: some.filter((found) => found.length > 0), placeholders: some }), {
        minLength: 1,
        maxLength: 3,
      }),
      { maxLength: 8 },
    ),
    causes: some,
    dropped: some,
  })

  test('whatever it holds: all of it once, in order, within the limits, and as the codec wants it', () => {
    const limits = { maxEntries: 20, maxEventBytes: 6000, maxAppendBytes: 12_000 }
    fc.assert(
      fc.property(anyChange, ({ families, causes, dropped }) => {
        const whole = families.map((family) =>
          family.map(({ members, placeholders }) => component(members, placeholders)),
        )
        const split = changes(whole, causesOf(causes), dropped, limits)
        for (const change of split) {
          const held = [...glued(groupsOf(change))]
          while (held.length > 0) expect(held.splice(0, whole[0]!.length)).toEqual(whole.shift())
        }
        expect(whole).toEqual([])
        const appends = split.flat()
        const events = appends.flat()
        expect(events.flatMap((event) => event.causes.map(({ work }) => work)).sort(byId)).toEqual(causes)
        expect(events.flatMap((event) => event.dropped)).toEqual(dropped)
        for (const event of events) {
          expect(entriesIn(event)).toBeGreaterThan(0)
          expect(entriesIn(event)).toBeLessThanOrEqual(limits.maxEntries)
          expect(bytesOf(event)).toBeLessThanOrEqual(limits.maxEventBytes)
          const data = { version: 1, timeSent: '2026-01-01T00:00:00.000Z', through: '-1', ...event }
          const metadata = { actor: 'a', causationId: 'a', correlationId: 'a', schema: 1 }
          expect(graphEvents.read({ type: 'GraphChanged', data, metadata })._tag).toBe('Right')
        }
        for (const append of appends) expect(bytesOf(append)).toBeLessThanOrEqual(limits.maxAppendBytes)
      }),
    )
  })
})
