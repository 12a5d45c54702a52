import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { curationSpecs } from '../curation.ts'
import { Stage, Subject } from '../result-messages.ts'
import {
  ClipId,
  Engine,
  Gaps,
  LeaseId,
  Match,
  MediaHash,
  ResearcherId,
  Score,
  Silent,
  Verdict,
} from '../terms.ts'

/*
 * Streams: `episode-<id>`, one per episode: its curation, every lease on its pairs, every result. A lease is active
 * while now < deadline and no event has ended it (L29). Ended, expired and unknown leases are treated alike (L37).
 */

/** Effect of a result or failure on its lease, in one event with it (L33, L36, D8). */
export const LeaseEffect = t.union([
  t.type({ kind: t.literal('extended'), deadline: Time }),
  /** Its open pairs may be leased again at once. */
  t.type({ kind: t.literal('revoked') }),
  t.type({
    kind: t.literal('none'),
    /** `ended`: revoked, released or finished; `unknown`: never granted on this episode. */
    because: t.keyof({ 'no-lease': null, unknown: null, expired: null, ended: null }),
  }),
])
export type LeaseEffect = t.TypeOf<typeof LeaseEffect>

export const episodeEvents = eventSet(
  ...curationSpecs,
  eventSpec(
    'LeaseGranted',
    'Pairs of this episode were leased; the work item is published after it (L24, L25).',
    t.intersection([
      t.type({
        lease: LeaseId,
        /** Grows with each grant on this episode. */
        fence: PositiveInteger,
        clips: t.array(ClipId),
        deadline: Time,
        /** The item may be taken before this, which is before the deadline (L27, F4). */
        notAfter: Time,
        /** Extension of the deadline by each result. */
        leaseSeconds: PositiveInteger,
        /** Version of the settings at the grant; 0: the default settings. */
        policy: NonNegativeInteger,
        at: Time,
      }),
      /** No extension goes beyond it (F29). */
      t.partial({ endsBy: Time }),
    ]),
  ),
  eventSpec(
    'WorkItemTaken',
    'A researcher has begun with it.',
    t.type({ lease: LeaseId, researcher: ResearcherId, at: Time }),
  ),
  eventSpec(
    'WorkItemLapsed',
    'Nobody took it in time; written for audits.',
    t.type({ lease: LeaseId, at: Time }),
  ),
  eventSpec(
    'LeaseExtended',
    'Its researcher said that work goes on (X6).',
    t.type({ lease: LeaseId, researcher: ResearcherId, deadline: Time, at: Time }),
  ),
  eventSpec(
    'LeaseExpired',
    'Its deadline passed.',
    t.intersection([
      t.type({ lease: LeaseId, deadline: Time, at: Time }),
      t.partial({
        /**
         * Number of silent leases of this episode in a row, with this one. A lease is silent if it was taken and
         * expired without a result, a failure or an extension. Concurrent leases count once: it is absent if this lease
         * was granted before the last counted one expired, and if it was not silent. A result, a failure, a release or
         * `Retried` ends the row. As many as `attempts` park the episode (F22). Older events lack it, and count
         * nothing.
         */
        silent: PositiveInteger,
      }),
    ]),
  ),
  eventSpec(
    'LeaseReleased',
    'Its researcher gave it back (F16).',
    t.type({ lease: LeaseId, researcher: ResearcherId, reason: Text, at: Time }),
  ),
  eventSpec('LeaseRevoked', 'A person ended it.', t.type({ lease: LeaseId, reason: Text, at: Time })),
  eventSpec(
    'ClipResearched',
    'A result, and what it did to its lease.',
    t.intersection([
      t.type({
        clip: ClipId,
        researcher: ResearcherId,
        matches: t.array(Match),
        episodeDuration: NonNegativeInteger,
        clipDuration: NonNegativeInteger,
        engine: Engine,
        researchedAt: Time,
        final: t.boolean,
        effect: LeaseEffect,
        /** The pair was done already: stored, counted once (F11, F14). */
        repeat: t.boolean,
        at: Time,
      }),
      t.partial({
        lease: LeaseId,
        /** The pair is not in its lease, which is extended all the same (F28). */
        outsideLease: t.boolean,
        /** Sent by another researcher than the one that took the item. */
        notTheHolder: t.boolean,
        episodeHash: MediaHash,
        clipHash: MediaHash,
        bestScore: Score,
        note: Text,
        /** Stretches of the episode that were not searched, as they cannot be decoded; older events lack it. */
        gaps: Gaps,
        /** It has no sound in any channel. Older events lack it, and were not examined for it. */
        silent: Silent,
      }),
    ]),
  ),
  eventSpec(
    'ResearchFailed',
    'A failed attempt, and what it did to its lease. That of a clip is counted in the stream of the clip.',
    t.intersection([
      t.type({
        subject: Subject,
        stage: Stage,
        error: Text,
        researcher: ResearcherId,
        effect: LeaseEffect,
        at: Time,
      }),
      t.partial({
        clip: ClipId,
        lease: LeaseId,
        /** Number of failures in a row, of this episode or pair. */
        attempt: PositiveInteger,
        /** Not leased before this; absent with an `attempt`: parked (F22). */
        retryAt: Time,
      }),
    ]),
  ),
  eventSpec(
    'Retried',
    'The episode, and its pairs, are to be tried again, since a person says so or its media has another address: failures are forgotten.',
    t.type({ reason: Text, at: Time }),
  ),
  eventSpec(
    'Reopened',
    'Pairs are to be researched again: those done by one of these engines (all unless said), of these clips (all unless said). What was found stays on record (X9).',
    t.intersection([
      t.type({ reason: Text, at: Time }),
      t.partial({
        /** In the form of `engineKey`. */
        engines: t.array(Text),
        clips: t.array(ClipId),
      }),
    ]),
  ),
  eventSpec(
    'FindingJudged',
    'A person listened to a place where a clip was found, and says what it is. The last word counts.',
    t.type({ clip: ClipId, offset: NonNegativeInteger, verdict: Verdict, reason: Text, at: Time }),
  ),
)
export type EpisodeEvent = EventsOf<typeof episodeEvents>
