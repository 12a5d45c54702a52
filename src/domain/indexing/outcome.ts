import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import type { Place } from './place.ts'
import { RunPlace } from './run-place.ts'

/** Why a file cannot be indexed. */
export const FailureCode = t.keyof(
  {
    /** No byte, or none but empty members. */
    empty: null,
    truncated: null,
    corrupt: null,
    /** Compressed as a whole: no record can be reached by an offset. */
    'not-per-record': null,
    'not-an-archive': null,
    /** It was listed, and is not there. */
    'not-found': null,
    /** It is there and cannot be read: rights, or the disk. */
    unreadable: null,
    /** Its job processed none, or more than one file (W14). */
    count: null,
    /** Whoever read it was not heard of again. */
    silent: null,
    /** Its run was gone or damaged when the index was to take it. */
    lost: null,
    /** No run could be written, or something else broke. */
    broken: null,
  },
  'failure code',
)
export type FailureCode = t.TypeOf<typeof FailureCode>

/** The file as it was read: the same before its first byte and behind its last. */
const Evidence = { size: NonNegativeInteger, modifiedAt: Time }

/** What a salvage had to leave out of a damaged file. */
export const Loss = t.type(
  {
    /** Bytes that are no part of a record that is whole. */
    bytes: PositiveInteger,
    /** In so many places. */
    places: PositiveInteger,
    /** The first thousand of them: bytes of the file, the last one not included. */
    lost: t.readonlyArray(t.type({ from: NonNegativeInteger, to: PositiveInteger, reason: Text })),
  },
  'loss',
)
export type Loss = t.TypeOf<typeof Loss>

/** What came of a job. */
export const JobOutcome = t.union(
  [
    /** Its lines are in the index. */
    t.intersection([
      t.type({
        status: t.literal('indexed'),
        /** Files processed: the job succeeded where it is one. */
        files: NonNegativeInteger,
        lines: NonNegativeInteger,
        /** SHA-256 of the sorted lines, in hex. */
        digest: Text,
        ...Evidence,
      }),
      t.partial({
        /** The run of the index that holds the lines; absent where they lie in a file of their own. */
        run: RunPlace,
        /** What is odd and does no harm, a sentence each. */
        warnings: t.array(Text),
        /** Of a salvage that did not find the file whole. */
        loss: Loss,
      }),
    ]),
    t.intersection([
      t.type({ status: t.literal('failed'), code: FailureCode, reason: Text }),
      /** Byte of the file. */
      t.partial({ offset: NonNegativeInteger }),
    ]),
    /** It did not stand still: nothing is wrong, and it is looked at later. */
    t.type({ status: t.literal('growing'), ...Evidence }),
    /** Of a name in two places: whether both hold the same bytes, or one of them is gone. */
    t.type({
      status: t.literal('compared'),
      verdict: t.keyof({ same: null, different: null, 'copy-gone': null, moved: null }),
      because: Text,
    }),
  ],
  'outcome of a job',
)
export type JobOutcome = t.TypeOf<typeof JobOutcome>

/** One job: to index the file at its place (W13), or to compare that with another place of the same name. */
export type Job =
  | {
      readonly kind: 'index'
      readonly place: Place
      readonly fileKind: 'content' | 'metadata'
      /** A person wants what is good of a damaged file. */
      readonly salvages?: true
    }
  | { readonly kind: 'compare'; readonly place: Place; readonly copy: Place }
