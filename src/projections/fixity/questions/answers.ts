import * as t from 'io-ts'
import type { Part } from '../../../domain/fixity/item-states.ts'
import { BucketUse } from './bucket-use-answer.ts'

/* Codecs of the answers about fixity. Times are ISO 8601 UTC. */

const orNull = t.union([t.string, t.null])

/** Every expected item is in exactly one part, so that they add up to `expected`. */
export const Counts: t.Type<{ readonly [Name in Part | 'expected']: number }, unknown> = t.type({
  expected: t.number,
  verified: t.number,
  baselined: t.number,
  accepted: t.number,
  unread: t.number,
  lost: t.number,
  suspect: t.number,
  failed: t.number,
  unverified: t.number,
  unchecked: t.number,
  late: t.number,
  parked: t.number,
})
export type Counts = t.TypeOf<typeof Counts>

const Section = t.readonly(t.type({ counts: Counts, bytes: t.number }))
export type Section = t.TypeOf<typeof Section>

/** The byte budget of a store: what its checks may read in a day of UTC. */
export const Budget = t.type({
  bytesPerDay: t.number,
  /** By checks that ended today, and by those under way as much as is recorded of their items. */
  bytesRead: t.number,
  /** Checks that are due, and wait for the next day. */
  waiting: t.number,
  /** When they go on; null if none waits. */
  goesOnAt: orNull,
})

/** Fields of a finding that is open. */
export const openFinding = {
  store: t.string,
  path: t.string,
  resolution: t.string,
  class: t.string,
  row: t.string,
  /** The finding, in a sentence. */
  summary: t.string,
  openedAt: t.string,
}

export const BagCounts = t.type({ valid: t.number, notValid: t.number, notProven: t.number })
export type BagCounts = t.TypeOf<typeof BagCounts>

export const FixityReport = t.readonly(
  t.type({
    /** The time that "late" was measured against. */
    at: t.string,
    stores: t.readonlyArray(
      t.readonly(
        t.intersection([
          t.type({
            counts: Counts,
            bytes: t.number,
            store: t.string,
            /**
             * Entries directly below the asked-for prefix: folders with a slash at the end, and `.` for single files.
             */
            prefixes: t.readonlyArray(
              t.readonly(t.type({ counts: Counts, bytes: t.number, prefix: t.string })),
            ),
          }),
          t.partial({
            root: t.string,
            /**
             * Since when nothing of the store is found anywhere, and what is found instead: nothing is checked, and
             * nothing is said of it.
             */
            awaySince: t.string,
            away: t.string,
            /** Since when nothing of the store was found, if its absence is a finding by now. */
            goneSince: t.string,
            /** Absent: no limit. */
            budget: Budget,
            /** Its bags by verdict, as of now; absent: none was listed, or a prefix was asked for. */
            bags: BagCounts,
            /** Requests to its bucket in the last 30 days of UTC, today included; absent: none, or a prefix was asked for. */
            asked: BucketUse,
          }),
        ]),
      ),
    ),
    /** Open findings, oldest first. */
    resolutions: t.readonlyArray(t.readonly(t.type(openFinding))),
    /** The items that are failed or parked now. */
    failures: t.readonlyArray(
      t.readonly(
        t.type({
          store: t.string,
          path: t.string,
          state: t.string,
          row: orNull,
          because: orNull,
          lastChecked: orNull,
          lastVerified: orNull,
        }),
      ),
    ),
  }),
)
export type FixityReport = t.TypeOf<typeof FixityReport>
