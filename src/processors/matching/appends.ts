import { type CutLimits, cutIntoAppends } from '../../domain/matching/graph/cut.ts'
import type { Cause, GraphChanged, Place } from '../../domain/matching/graph/events.ts'
import type { Change, Component } from '../../domain/matching/graph/graph.ts'
import { nextTimeSent, nextVersion } from '../../domain/matching/graph/version.ts'
import { type Heads, type Told, toldThrough } from './heads.ts'
import type { Append } from './writing.ts'

/**
 * A change, for all generations or some of them: one version and time each, given here for good (M3). These facts are
 * told by its last append alone: whoever finds the others without it tells them again. Their place may lie behind one that
 * an earlier change had come to, where a generation was further than the others when the matcher broke off.
 *
 * What is still being listed comes first: where the matcher breaks off, it was told at least what the others were.
 */
export function* changeAppends(
  { components, dropped }: Pick<Change, 'components' | 'dropped'>,
  causes: Map<string, Cause>,
  facts: Told,
  heads: Heads,
  now: string,
  limits: CutLimits,
  generations: Iterable<number> = heads.keys(),
): Generator<Append> {
  const before = toldThrough(heads)
  const stamps = [...generations].sort(notListedFirst(heads)).map((generation) => {
    const { version, timeSent } = heads.get(generation)!
    return {
      generation,
      version: nextVersion(version, Date.parse(now)),
      timeSent: nextTimeSent(timeSent, now),
    }
  })
  for (const [cuts, isLast] of marked(cutIntoAppends(components, causes, dropped, limits)))
    for (const { generation, version, timeSent } of stamps) {
      const { through, last } = isLast ? facts : before
      const stamp = { version, timeSent, through: through.toString() }
      const events = cuts.map((cut, i) =>
        changed({ ...stamp, ...cut }, i === cuts.length - 1 ? last : undefined),
      )
      yield { generation, events }
    }
}

const notListedFirst = (heads: Heads) => (one: number, other: number) =>
  Number(heads.get(one)!.listed) - Number(heads.get(other)!.listed)

/** Some of the components for a generation that is to be told them all; `listed`, with the last of them, how many there were. */
export function* listingAppends(
  components: readonly Component[],
  listed: number | undefined,
  generation: number,
  heads: Heads,
  now: string,
  limits: CutLimits,
): Generator<Append> {
  // What the others were told goes for this one too: it is told the components as they came to be.
  const told = furthest(heads.get(generation)!, toldThrough(heads))
  yield* changeAppends({ components, dropped: [] }, new Map(), told, heads, now, limits, [generation])
  if (listed === undefined) return
  const { version, timeSent } = heads.get(generation)!
  const at = nextTimeSent(timeSent, now)
  const data = { version, through: told.through.toString(), components: listed, at }
  yield { generation, events: [{ type: 'GraphListed', data: withLast(data, told.last) }] }
}

const furthest = (one: Told, other: Told): Told => (one.through > other.through ? one : other)

const changed = (data: GraphChanged, last: Place | undefined): Append['events'][number] => ({
  type: 'GraphChanged',
  data: withLast(data, last),
})

const withLast = <A extends object>(data: A, last: Place | undefined): A | (A & { readonly last: Place }) =>
  last ? { ...data, last } : data

/** Each with whether it is the last one. */
function* marked<A>(items: Iterable<A>): Generator<readonly [A, boolean]> {
  let held: { readonly item: A } | undefined
  for (const item of items) {
    if (held) yield [held.item, false]
    held = { item }
  }
  if (held) yield [held.item, true]
}
