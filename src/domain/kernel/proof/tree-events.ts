import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../codecs.ts'
import type { Command, Decider } from '../decider.ts'
import { streamName } from '../event.ts'
import { type EventsOf, eventSet, eventSpec } from '../event-set.ts'
import type { Rejection } from '../rejection.ts'

/* Stream: `proof-tree`, in which a person's word about the archive's Merkle tree stands. */

export const category = 'proof'
export const treeStream = streamName(category, 'tree')

const TreeReplaced = t.type({
  /** Origin of the new tree. */
  origin: Text,
  /** The tree before it, as far as a head of it was at hand. `size`: decimal text. `root`: base64. */
  earlier: t.intersection([t.type({ origin: Text }), t.partial({ size: Text, root: Text })]),
  reason: Text,
  at: Time,
})

export const treeReplaced = eventSpec(
  'TreeReplaced',
  'A person had a new Merkle tree of the log begun in the place of the one before.',
  TreeReplaced,
)

export const treeEvents = eventSet(treeReplaced)

type TreeEvent = EventsOf<typeof treeEvents>
export type TreeReplaced = t.TypeOf<typeof TreeReplaced>

type TreeCommand = Command & { readonly type: 'Replace' } & Omit<TreeReplaced, 'at'>

/** The origin of the newest tree that a person had begun. */
interface TreeState {
  readonly origin: string | undefined
}

/** Two people who say it at once mean one new tree. */
export const treeRecord: Decider<TreeState, TreeCommand, TreeEvent, Rejection> = {
  category,
  events: treeEvents,
  initial: { origin: undefined },
  evolve: (_, event) => ({ origin: event.data.origin }),
  decide: ({ origin, earlier, reason, at }, state) =>
    state.origin === undefined || state.origin === earlier.origin
      ? E.right([{ type: 'TreeReplaced', data: { origin, earlier, reason, at } }])
      : E.left({
          code: 'replaced-already',
          message: `${state.origin} was begun in its place already; the sealer carries it out within a minute`,
        }),
}

/* Stream: `proof-differences`, in which persons accept that the log is not what was sealed. */

export const differencesStream = streamName(category, 'differences')

const DifferencesAccepted = t.type({
  /** Origin of the tree that the log was compared with. */
  origin: Text,
  /** SHA-256 in base64 of all differences that were found, and of what the log has in their places. */
  digest: Text,
  /** How many were found. */
  count: NonNegativeInteger,
  /** The first of them, a sentence each without a full stop. */
  first: t.array(Text),
  reason: Text,
  at: Time,
})
export type DifferencesAccepted = t.TypeOf<typeof DifferencesAccepted>

export const differencesAccepted = eventSpec(
  'DifferencesAccepted',
  'A person let views that were folded from a log that is not what was sealed take the place of the live ones.',
  DifferencesAccepted,
)

export const acceptedEvents = eventSet(differencesAccepted)

type AcceptedEvent = EventsOf<typeof acceptedEvents>
type AcceptCommand = Command & { readonly type: 'Accept' } & Omit<DifferencesAccepted, 'at'>

/** Differences that the same log shows again are accepted once. */
export const acceptedRecord: Decider<string | undefined, AcceptCommand, AcceptedEvent, Rejection> = {
  category,
  events: acceptedEvents,
  initial: undefined,
  evolve: (_, { data }) => data.digest,
  decide: ({ origin, digest, count, first, reason, at }, accepted) =>
    E.right(
      accepted === digest
        ? []
        : [{ type: 'DifferencesAccepted', data: { origin, digest, count, first, reason, at } }],
    ),
}
