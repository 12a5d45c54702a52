import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { Fields } from './fields.ts'
import { Member } from './graph/events.ts'
import { Document } from './merged/document.ts'
import { Source, WorkId, WorkState } from './work.ts'

/** More is a data error: the record of links stated in one breath upstream is some hundreds. */
export const maxLinks = 10_000

/** This work names that id. A link is one statement however often a record repeats it. */
const StatedLink = t.type({ to: WorkId, reason: Text }, 'link')

const AnyLinks = t.array(StatedLink)

/** Counted before they are validated: a million invalid ones would give a million errors. */
const StatedLinks = annotate(
  new t.Type<t.TypeOf<typeof AnyLinks>, unknown, unknown>(
    `at most ${maxLinks} links`,
    (u): u is t.TypeOf<typeof AnyLinks> => isShort(u) && AnyLinks.is(u),
    (u, context) => (isShort(u) ? AnyLinks.validate(u, context) : t.failure(u, context)),
    t.identity,
  ),
  { maxItems: maxLinks },
  AnyLinks,
)

const isShort = (u: unknown): boolean => !Array.isArray(u) || u.length <= maxLinks

const WorkUpdated = t.intersection(
  [
    t.type({
      id: WorkId,
      source: Source,
      /** Grows with every change of the record at its source; of one work only, never compared between works (M5). */
      sourceVersion: NonNegativeInteger,
      sourceModifiedAt: Time,
      state: WorkState,
      links: StatedLinks,
    }),
    t.partial({ title: t.string, fields: Fields }),
  ],
  'work.updated',
)
export type WorkUpdated = t.TypeOf<typeof WorkUpdated>

/**
 * One component as the matcher left it, or a piece of one that is too large for a message. The fact behind it is the
 * event at `revision` of the stream `graph-<generation>`; a message that says otherwise is invalid.
 */
const GraphChangedMessage = t.type(
  {
    generation: PositiveInteger,
    version: PositiveInteger,
    /** The same for all that changed at once (M3). */
    timeSent: Time,
    /** Revision of the event in `graph-<generation>`, and the place of the group in it. */
    revision: NonNegativeInteger,
    group: NonNegativeInteger,
    /** Its smallest id. */
    component: WorkId,
    /** Works in the whole component. */
    size: PositiveInteger,
    /** All of them, but for a component in pieces. */
    members: t.array(Member),
  },
  'graph.changed',
)
export type GraphChangedMessage = t.TypeOf<typeof GraphChangedMessage>

const WorkMergedMessage = t.type(
  {
    work: WorkId,
    generation: PositiveInteger,
    /** Orders documents of one generation: a store keeps the highest. Internal: not for readers (M19). */
    version: PositiveInteger,
    document: Document,
  },
  'work.merged',
)
export type WorkMergedMessage = t.TypeOf<typeof WorkMergedMessage>

export const worksTopic = {
  name: 'fonds.matching.works',
  description: 'Catalogue records as their sources change them, late, twice and out of order.',
  messages: [
    messageSpec('work.updated', 'A record is now like this.', WorkUpdated, {
      id: 'h3xbcs2m',
      source: 'sierra',
      sourceVersion: 7,
      sourceModifiedAt: '2026-01-31T12:00:00.000Z',
      state: 'visible',
      title: 'Hevajratantra',
      links: [{ to: 'jz8d34qd', reason: 'digitised as' }],
      fields: { subjects: ['Sanskrit'] },
    }),
  ],
  keyOf: (data) => (data as WorkUpdated).id,
} as const satisfies TopicSpec

export const graphsTopic = {
  name: 'fonds.matching.graphs',
  description: 'Components as the matcher left them: what the merger works from.',
  madeBy: 'fonds',
  messages: [
    messageSpec('graph.changed', 'A component, with the revisions it was made from.', GraphChangedMessage, {
      generation: 1,
      version: 1_769_860_800_000_000,
      timeSent: '2026-01-31T12:00:00.000Z',
      revision: 4,
      group: 0,
      component: 'h3xbcs2m',
      size: 2,
      members: [
        ['h3xbcs2m', 6],
        ['jz8d34qd', 0],
      ],
    }),
  ],
  keyOf: (data) => (data as GraphChangedMessage).component,
} as const satisfies TopicSpec

/** Components of more works are merged apart: whatever else is on a partition would wait for seconds. */
export const maxMergedTogether = 1000

export const largeGraphsTopic = {
  name: 'fonds.matching.large-graphs',
  description: `The large ones of ${graphsTopic.name} once more: they are merged apart, so that no other one waits for them.`,
  madeBy: 'fonds',
  messages: graphsTopic.messages,
  keyOf: graphsTopic.keyOf,
} as const satisfies TopicSpec

export const mergedTopic = {
  name: 'fonds.matching.merged',
  description: 'What to show for each work: the merged work, a redirect to it, or nothing.',
  madeBy: 'fonds',
  messages: [
    messageSpec('work.merged', 'The document of a work is now this.', WorkMergedMessage, {
      work: 'jz8d34qd',
      generation: 1,
      version: 1_769_860_800_000_000,
      document: { kind: 'redirect', to: 'h3xbcs2m', component: 'h3xbcs2m' },
    }),
  ],
  keyOf: (data) => (data as WorkMergedMessage).work,
} as const satisfies TopicSpec

export const topics: readonly TopicSpec[] = [worksTopic, graphsTopic, largeGraphsTopic, mergedTopic]
