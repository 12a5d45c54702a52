import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../kernel/codecs.ts'
import type { Place } from './place.ts'
import { RunPlace } from './run-place.ts'

/** Reasons why a file cannot be indexed. */
export const FailureCode = t.keyof(
  {
    /** No byte, or none but empty members. */
    empty: null,
    truncated: null,
    corrupt: null,
    /** Compressed as a whole: no record can be reached by an offset. */
    'not-per-record': null,
    'not-an-archive': null,
    /** It was listed and does not exist. */
    'not-found': null,
    /** It exists and cannot be read: permissions, or the disk. */
    unreadable: null,
    /** Its job processed none, or more than one file (W14). */
    count: null,
    /** Its worker was not heard of again. */
    silent: null,
    /** Its run was missing or damaged when the index was to accept it. */
    lost: null,
    /** No run could be written, or another error occurred. */
    broken: null,
  },
  'failure code',
)
export type FailureCode = t.TypeOf<typeof FailureCode>

/** The file as it was read: unchanged from the first byte to the last. */
const Evidence = { size: NonNegativeInteger, modifiedAt: Time }

/** Parts of a damaged file that a salvage left out. */
export const Loss = t.type(
  {
    /** Bytes outside of intact records. */
    bytes: PositiveInteger,
    /** Number of lost ranges. */
    places: PositiveInteger,
    /** The first thousand of them: byte ranges of the file, `to` not included. */
    lost: t.readonlyArray(t.type({ from: NonNegativeInteger, to: PositiveInteger, reason: Text })),
  },
  'loss',
)
export type Loss = t.TypeOf<typeof Loss>

/** Outcome of a job. */
export const JobOutcome = t.union(
  [
    /** Its lines are in the index. */
    t.intersection([
      t.type({
        status: t.literal('indexed'),
        /** Number of files processed: the job succeeded if it is one. */
        files: NonNegativeInteger,
        lines: NonNegativeInteger,
        /** SHA-256 of the sorted lines, in hex. */
        digest: Text,
        ...Evidence,
      }),
      t.partial({
        /** The run of the index that holds the lines; absent if they are in a file of their own. */
        run: RunPlace,
        /** Harmless anomalies, one sentence each. */
        warnings: t.array(Text),
        /** Present if a salvage found the file damaged. */
        loss: Loss,
        /** Keys of responses say what was sent by POST or PUT. */
        requestKeys: t.literal(true),
      }),
    ]),
    t.intersection([
      t.type({ status: t.literal('failed'), code: FailureCode, reason: Text }),
      /** Byte offset in the file. */
      t.partial({ offset: NonNegativeInteger }),
    ]),
    /** The file was changing: this is no error, and it is read again later. */
    t.type({ status: t.literal('growing'), ...Evidence }),
    /** Result of comparing one name in two places: whether both hold the same bytes, or one of them is missing. */
    t.type({
      status: t.literal('compared'),
      verdict: t.keyof({ same: null, different: null, 'copy-gone': null, moved: null }),
      because: Text,
    }),
  ],
  'outcome of a job',
)
export type JobOutcome = t.TypeOf<typeof JobOutcome>

/** One job: index the file at its place (W13), or compare it with another place of the same name. */
export type Job =
  | {
      readonly kind: 'index'
      readonly place: Place
      readonly fileKind: 'content' | 'metadata'
      /** A person requested the intact part of a damaged file. */
      readonly salvages?: true
    }
  | { readonly kind: 'compare'; readonly place: Place; readonly copy: Place }
