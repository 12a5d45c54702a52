import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../codecs.ts'
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

export const treeEvents = eventSet(
  eventSpec(
    'TreeReplaced',
    'A person had a new Merkle tree of the log begun in the place of the one before.',
    TreeReplaced,
  ),
)

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
