import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../codecs.ts'
import type { Command, Decider } from '../decider.ts'
import { streamName } from '../event.ts'
import { type EventsOf, eventSet, eventSpec } from '../event-set.ts'
import type { Rejection } from '../rejection.ts'
import { category } from './tree-events.ts'

/* Stream: `proof-keys`, in which the keys that sign heads of the archive's tree are named when they change. */

export const keysStream = streamName(category, 'keys')

const TreeKeysReplaced = t.type({
  /** Origin of the tree. */
  origin: Text,
  /** Verifier keys (c2sp.org/signed-note) from now on. */
  keys: t.array(Text),
  /** Those before. */
  earlier: t.array(Text),
  reason: Text,
  at: Time,
})
export type TreeKeysReplaced = t.TypeOf<typeof TreeKeysReplaced>

export const treeKeysReplaced = eventSpec(
  'TreeKeysReplaced',
  'A person had other keys sign the heads of the Merkle tree from now on.',
  TreeKeysReplaced,
)

export const keysEvents = eventSet(treeKeysReplaced)

type KeysEvent = EventsOf<typeof keysEvents>
type KeysCommand = Command & { readonly type: 'ReplaceKeys' } & Omit<TreeKeysReplaced, 'at'>

/** The same keys are named once, however often it is asked. */
export const keysRecord: Decider<readonly string[], KeysCommand, KeysEvent, Rejection> = {
  category,
  events: keysEvents,
  initial: [],
  evolve: (_, { data }) => data.keys,
  decide: ({ origin, keys, earlier, reason, at }, named) =>
    E.right(
      keys.join() === named.join()
        ? []
        : [{ type: 'TreeKeysReplaced', data: { origin, keys, earlier, reason, at } }],
    ),
}
