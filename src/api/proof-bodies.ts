import * as t from 'io-ts'
import { Text, Time } from '../domain/kernel/codecs.ts'
import { nullable } from './http/nullable.ts'
import { Place } from './http/parameters.ts'

/* Answers about the log's Merkle tree; `proof-answers.ts` makes them. */

/** The text that bytes are, or the bytes in base64 where they are no UTF-8. */
export const Bytes = t.union([t.string, t.type({ base64: t.string })])

export const ProofBody = t.type({
  /** Name for the file. */
  file: Text,
  /** The file (c2sp.org/tlog-proof); its `extra` is the entry. */
  proof: Text,
  origin: Text,
  /** Leaf, and leaves of the tree. */
  index: Place,
  size: Place,
  /** As the log holds it now, byte for byte; null if it does not any more. Metadata as they were first written. */
  event: nullable(
    t.type({
      id: t.string,
      type: t.string,
      stream: t.string,
      revision: Place,
      position: Place,
      recordedAt: Time,
      data: Bytes,
      metadata: Bytes,
    }),
  ),
  /** Verifier keys of the tree (c2sp.org/signed-note). */
  keys: t.array(Text),
  /** The keys, and the witnesses that this home asks, as others check by them (c2sp.org/tlog-policy). */
  policy: Text,
})

export const ConsistencyBody = t.type({
  origin: Text,
  /** Leaves of both trees. */
  from: Place,
  to: Place,
  /** Hashes in base64, in the order of RFC 9162, section 2.1.4; none where both have one size. */
  proof: t.array(Text),
})

const states = {
  ...{
    sealed: null,
    behind: null,
    none: null,
    elsewhere: null,
    headless: null,
    keyless: null,
    damaged: null,
  },
}

export const TreeBody = t.type({
  state: t.keyof(states),
  /** Null where nothing is wrong. */
  wrong: nullable(t.type({ reason: Text, help: Text })),
  /** Why this process does not seal, or what witnesses say against it; a sentence each. */
  unsealed: t.array(Text),
  /** A process holds the lease of the sealer. */
  isSealing: t.boolean,
  head: nullable(
    t.type({
      origin: Text,
      size: Place,
      root: Text,
      at: Time,
      checkpoint: Text,
      keys: t.array(Text),
      policy: Text,
    }),
  ),
  /** Position in the log of the last sealed event; null where the log does not have it. */
  sealedTo: nullable(Place),
  /** Position of the newest event. */
  logHead: Place,
  /** Null where no policy names a witness. */
  witnessed: nullable(
    t.type({
      size: nullable(Place),
      witnesses: t.array(t.type({ name: Text, at: nullable(Time) })),
      isQuorum: t.boolean,
    }),
  ),
  /** Findings of the last comparison of the log with the tree; null: there was none yet. */
  check: nullable(t.type({ at: Time, wholeAt: nullable(Time), differences: t.array(Text) })),
})
