import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { WorkId } from '../work.ts'

/*
 * Streams: `graph-<generation>`, written by the matcher alone, each append at the revision it read: that is the fence.
 *
 * A change is all events of one version: the current state of the components that a set of facts affected. It is
 * written as consecutive events, each small enough for any log: mostly in one append, and in several only if components
 * that works moved between are too large for that. A matcher that ends between these leaves a change without its last
 * event: such a change is never valid, and a later one, of another version, contains all that it affected. A component
 * too large for one event is split into pieces, in consecutive events. Large components come before small ones.
 */

export const category = 'graph'
export const graphStream = (generation: number): string => streamName(category, String(generation))

/** A work that a source described, and the revision of its stream that the change was made from. */
export const Member = t.tuple([WorkId, NonNegativeInteger], 'member')
export type Member = t.TypeOf<typeof Member>

const Position = annotate(
  t.refinement(t.string, (s) => /^-?\d+$/.test(s), 'position as decimal text'),
  { pattern: '^-?\\d+$' },
)

/** A link, from and to, and the revision of the cause's work that made it count, or no longer count. */
const LinkChange = t.tuple([WorkId, WorkId, NonNegativeInteger], 'link change')
export type LinkChange = t.TypeOf<typeof LinkChange>

/**
 * A fact that led to a change: an event in the stream of a work, the last one of those that did. With the links of the work
 * that decided who is one with whom: of the old components that are one now a tree, of the parts that an old one fell into
 * another. A work that has many has several causes.
 */
export const Cause = t.intersection(
  [
    t.type({ work: WorkId, revision: NonNegativeInteger, type: Text }),
    t.partial({ made: t.array(LinkChange), lost: t.array(LinkChange) }),
  ],
  'cause',
)
export type Cause = t.TypeOf<typeof Cause>

/** The one link that holds a component together: without it, `side` works part from the others. */
const Bridge = t.type({ from: WorkId, to: WorkId, side: PositiveInteger }, 'bridge')

/** Works connected by active links, or a piece of them. A deleted work is a group of its own. */
export const Group = t.intersection(
  [
    t.type({
      /** Its smallest member: names it as long as nothing changes. */
      component: WorkId,
      /** Seen works in the whole component. */
      size: PositiveInteger,
      /** From 0: which piece this is. */
      piece: NonNegativeInteger,
      pieces: PositiveInteger,
      /** Sorted by id, across pieces. */
      members: t.array(Member),
      /** Ids that are linked to and were never seen: they connect, and are never sent. Sorted. */
      placeholders: t.array(WorkId),
    }),
    t.partial({ bridge: Bridge }),
  ],
  'group',
)
export type Group = t.TypeOf<typeof Group>

/** A fact, by the name that it has in every copy of the log. */
const FactRef = t.type({ work: WorkId, revision: NonNegativeInteger }, 'place')
export type FactRef = t.TypeOf<typeof FactRef>

/** Every fact up to here has come into a change, once this event is there. */
const publishedThrough = {
  /** Position in the log that it was written to first, as decimal text; -1: none has. */
  through: Position,
}
const lastPublished = t.partial({
  /**
   * The last of these facts: a log that was copied has it at another position. Said by the last event of an append, for
   * all of them.
   */
  last: FactRef,
})

/** Absent from events of older matchers: each of those counts as it is. */
export const PlaceInChange = t.partial({
  /** Events of the change before this one. */
  part: NonNegativeInteger,
  /** Events of the change: said by its last one alone. */
  parts: PositiveInteger,
})
export type PlaceInChange = t.TypeOf<typeof PlaceInChange>

const GraphChanged = t.intersection([
  t.type({
    /** Strictly grows in a stream: milliseconds × 1000 + counter. Assigned once, never recomputed. */
    version: PositiveInteger,
    /** Never decreases. */
    timeSent: Time,
    ...publishedThrough,
    causes: t.array(Cause),
    groups: t.array(Group),
    /** Placeholders that nobody names any more. */
    dropped: t.array(WorkId),
  }),
  lastPublished,
  PlaceInChange,
])
export type GraphChanged = t.TypeOf<typeof GraphChanged>

export const graphEvents = eventSet(
  eventSpec('GraphChanged', 'Components as they are after some facts, all of one version.', GraphChanged),
  eventSpec(
    'GraphListed',
    'A new generation has got every component once.',
    t.intersection([
      t.type({ version: NonNegativeInteger, ...publishedThrough, components: NonNegativeInteger, at: Time }),
      lastPublished,
    ]),
  ),
)
export type GraphEvent = EventsOf<typeof graphEvents>
