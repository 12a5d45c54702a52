import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../codecs.ts'
import type { Command, Decider } from '../decider.ts'
import { streamName } from '../event.ts'
import { PositionText } from '../event-place.ts'
import { type EventSet, eventSet, eventSpec } from '../event-set.ts'
import type { Rejection } from '../rejection.ts'
import { category } from './tree-events.ts'

/* Statements of the archive on itself, in leaves of its tree: rows of views, pages that it gave out, newest leaves of streams. */

/** `data`: as they are stored. */
type SealCommand<Data> = Command & { readonly type: 'Seal'; readonly data: Data }

/** Each statement is of its own moment: none depends on those before. */
const statementRecord = <Type extends string, Data>(
  type: Type,
  events: EventSet<{ readonly type: Type; readonly data: Data }>,
): Decider<undefined, SealCommand<Data>, { readonly type: Type; readonly data: Data }, Rejection> => ({
  category,
  events,
  initial: undefined,
  evolve: () => undefined,
  decide: ({ data }) => right([{ type, data }]),
})

/* Streams: `proof-view-<view>`, one for each view whose rows were sealed. */

export const sealedViewStream = (view: string): string => streamName(category, `view-${view}`)

export const ViewSealed = t.intersection([
  t.type({
    projection: Text,
    view: Text,
    /** Version of the projection. */
    version: NonNegativeInteger,
    /** The program that folded the rows: `workflows/system/program.ts` has how the digest is made. */
    program: t.type({ version: Text, digest: Text }),
    /** The rows follow from the events up to this position of the log, as decimal text. */
    position: PositionText,
    rows: NonNegativeInteger,
    /** Root (RFC 6962) in base64 of the rows' entries (`view-row.ts`) in the order of the key. */
    root: Text,
    at: Time,
  }),
  /** Why, if a person had it sealed. */
  t.partial({ reason: Text }),
])
export type ViewSealed = t.TypeOf<typeof ViewSealed>

export const viewSealed = eventSpec(
  'ViewSealed',
  'The rows of a view as they were: how many, and the root of a Merkle tree whose leaves they are.',
  ViewSealed,
)

export const sealedViewEvents = eventSet(viewSealed)

export const sealedViewRecord = statementRecord('ViewSealed', sealedViewEvents)

/* Stream: `proof-reports`, in which pages that were given out are sealed. */

export const sealedReportStream = streamName(category, 'reports')

export const ReportSealed = t.type({
  /** Name of the report. */
  report: Text,
  /** The question that it answers, as it was asked. */
  question: Text,
  /** The signed head of the tree at which it was made. `size`: decimal text. `root`: base64. */
  head: t.type({ origin: Text, size: Text, root: Text }),
  /** Lines of the page before its proof. */
  lines: NonNegativeInteger,
  /** Root (RFC 6962) in base64 of these lines, without their line feeds. */
  root: Text,
  at: Time,
})
export type ReportSealed = t.TypeOf<typeof ReportSealed>

export const reportSealed = eventSpec(
  'ReportSealed',
  'A report was given out: its question, the head at which it was made, and the root of its lines.',
  ReportSealed,
)

export const sealedReportEvents = eventSet(reportSealed)

export const sealedReportRecord = statementRecord('ReportSealed', sealedReportEvents)

/* Stream: `proof-streams`, in which the newest leaves of all streams are stated. */

export const sealedStreamsStream = streamName(category, 'streams')

export const StreamsSealed = t.intersection([
  t.type({
    /** The tree whose leaves are counted. */
    origin: Text,
    /** How many leaves it had, as decimal text. */
    size: PositionText,
    /** How many streams had one. */
    streams: NonNegativeInteger,
    /** Root (RFC 6962) in base64 of the rows (`stream-row.ts`) in their order. */
    root: Text,
    at: Time,
  }),
  /** Why, if a person had it stated. */
  t.partial({ reason: Text }),
])
export type StreamsSealed = t.TypeOf<typeof StreamsSealed>

export const streamsSealed = eventSpec(
  'StreamsSealed',
  'The newest leaf of every stream as it was at a size of the tree: how many streams, and the root of a Merkle tree of their rows.',
  StreamsSealed,
)

export const sealedStreamsEvents = eventSet(streamsSealed)

export const sealedStreamsRecord = statementRecord('StreamsSealed', sealedStreamsEvents)
