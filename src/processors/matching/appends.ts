import type { Component } from '../../domain/matching/graph/component.ts'
import type { Cause, FactRef, GraphChanged } from '../../domain/matching/graph/events.ts'
import type { Change } from '../../domain/matching/graph/graph.ts'
import { type SplitChange, type SplitLimits, splitIntoChanges } from '../../domain/matching/graph/split.ts'
import { nextTimeSent, nextVersion } from '../../domain/matching/graph/version.ts'
import { type Checkpoint, type GraphStreams, publishedThrough } from './graph-streams.ts'
import type { Append } from './resumable-write.ts'

/**
 * Yields the appends of the changes that facts led to, for all generations or some of them: each change has one version
 * and time for good (M3). Only the last append says that the facts are published: without it they are published again,
 * with those that came since, in changes of other versions. The others name the position that all generations had
 * reached; it may lie before that of one that was further when the matcher stopped.
 *
 * Generations that are still being listed come first: if the matcher stops in the middle, they got at least what the
 * others did.
 */
export function* changeAppends(
  { families, dropped }: Pick<Change, 'families' | 'dropped'>,
  causes: Map<string, Cause>,
  facts: Checkpoint,
  streams: GraphStreams,
  now: string,
  limits: SplitLimits,
  generations: Iterable<number> = streams.keys(),
): Generator<Append> {
  const before = publishedThrough(streams)
  const inOrder = [...generations].sort(unlistedFirst(streams))
  for (const [change, isLast] of withIsLast(splitIntoChanges(families, causes, dropped, limits))) {
    // The appends of the change before are done by now.
    const stamps = inOrder.map((generation) => stampFor(generation, streams, now))
    yield* appendsOf(change, stamps, before, isLast ? facts : before)
  }
}

interface Stamp extends Pick<GraphChanged, 'version' | 'timeSent'> {
  readonly generation: number
}

const stampFor = (generation: number, streams: GraphStreams, now: string): Stamp => {
  const { version, timeSent } = streams.get(generation)!
  return {
    generation,
    version: nextVersion(version, Date.parse(now)),
    timeSent: nextTimeSent(timeSent, now),
  }
}

/** Appends of one change to each generation. The last one says that the generation has reached `after`. */
function* appendsOf(
  change: SplitChange,
  stamps: readonly Stamp[],
  before: Checkpoint,
  after: Checkpoint,
): Generator<Append> {
  const parts = change.flat().length
  let first = 0
  for (const [append, isLast] of withIsLast(change)) {
    const { through, last } = isLast ? after : before
    for (const { generation, version, timeSent } of stamps) {
      const events = append.map((held, i) => {
        const part = first + i
        const place = part === parts - 1 ? { part, parts } : { part }
        const data = { version, timeSent, through: through.toString(), ...place, ...held }
        return changed(data, i === append.length - 1 ? last : undefined)
      })
      yield { generation, events }
    }
    first += append.length
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
  // Changes published to the other generations are in these components already.
  const checkpoint = furthest(streams.get(generation)!, publishedThrough(streams))
  const families = components.map((component) => ({ components: [component], links: [] }))
  yield* changeAppends({ families, dropped: [] }, new Map(), checkpoint, streams, now, limits, [generation])
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

/** Pairs each item with whether it is the last one. */
function* withIsLast<A>(items: Iterable<A>): Generator<readonly [A, boolean]> {
  let held: { readonly item: A } | undefined
  for (const item of items) {
    if (held) yield [held.item, false]
    held = { item }
  }
  if (held) yield [held.item, true]
}
