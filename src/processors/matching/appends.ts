import type { Component } from '../../domain/matching/graph/component.ts'
import type { Cause, FactRef, GraphChanged } from '../../domain/matching/graph/events.ts'
import type { Change } from '../../domain/matching/graph/graph.ts'
import { type SplitLimits, splitIntoAppends } from '../../domain/matching/graph/split.ts'
import { nextTimeSent, nextVersion } from '../../domain/matching/graph/version.ts'
import { type Checkpoint, type GraphStreams, publishedThrough } from './graph-streams.ts'
import type { Append } from './resumable-write.ts'

/**
 * The appends of a change, for all generations or some of them, each with one version and time for good (M3). Only the last
 * append says that the facts are published: without it they are published again. The others name the place that all
 * generations had reached; it may lie before that of one that was further when the matcher stopped.
 *
 * Generations that are still being listed come first: where the matcher stops in the middle, they got at least what the
 * others did.
 */
export function* changeAppends(
  { components, dropped }: Pick<Change, 'components' | 'dropped'>,
  causes: Map<string, Cause>,
  facts: Checkpoint,
  streams: GraphStreams,
  now: string,
  limits: SplitLimits,
  generations: Iterable<number> = streams.keys(),
): Generator<Append> {
  const before = publishedThrough(streams)
  const stamps = [...generations].sort(unlistedFirst(streams)).map((generation) => {
    const { version, timeSent } = streams.get(generation)!
    return {
      generation,
      version: nextVersion(version, Date.parse(now)),
      timeSent: nextTimeSent(timeSent, now),
    }
  })
  for (const [parts, isLast] of withIsLast(splitIntoAppends(components, causes, dropped, limits)))
    for (const { generation, version, timeSent } of stamps) {
      const { through, last } = isLast ? facts : before
      const stamp = { version, timeSent, through: through.toString() }
      const events = parts.map((part, i) =>
        changed({ ...stamp, ...part }, i === parts.length - 1 ? last : undefined),
      )
      yield { generation, events }
    }
}

const unlistedFirst = (streams: GraphStreams) => (one: number, other: number) =>
  Number(streams.get(one)!.listed) - Number(streams.get(other)!.listed)

/**
 * The appends of a part of a listing, which brings all components to a generation. `total`: with the last part, how many
 * there were.
 */
export function* listingAppends(
  components: readonly Component[],
  total: number | undefined,
  generation: number,
  streams: GraphStreams,
  now: string,
  limits: SplitLimits,
): Generator<Append> {
  // What was published to the others is in these components already.
  const checkpoint = furthest(streams.get(generation)!, publishedThrough(streams))
  yield* changeAppends({ components, dropped: [] }, new Map(), checkpoint, streams, now, limits, [generation])
  if (total === undefined) return
  const { version, timeSent } = streams.get(generation)!
  const at = nextTimeSent(timeSent, now)
  const data = { version, through: checkpoint.through.toString(), components: total, at }
  yield { generation, events: [{ type: 'GraphListed', data: withLast(data, checkpoint.last) }] }
}

const furthest = (one: Checkpoint, other: Checkpoint): Checkpoint =>
  one.through > other.through ? one : other

const changed = (data: GraphChanged, last: FactRef | undefined): Append['events'][number] => ({
  type: 'GraphChanged',
  data: withLast(data, last),
})

const withLast = <A extends object>(
  data: A,
  last: FactRef | undefined,
): A | (A & { readonly last: FactRef }) => (last ? { ...data, last } : data)

/** Each with whether it is the last one. */
function* withIsLast<A>(items: Iterable<A>): Generator<readonly [A, boolean]> {
  let held: { readonly item: A } | undefined
  for (const item of items) {
    if (held) yield [held.item, false]
    held = { item }
  }
  if (held) yield [held.item, true]
}
