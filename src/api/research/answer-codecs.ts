import * as t from 'io-ts'
import type {
  ClipProgress,
  Decision,
  EpisodeProgress,
  LiveLease,
  Occurrence,
  PairAnswer,
  Parked,
  Progress,
  ResearcherRow,
  ResearchState,
} from '../../projections/research/answers.ts'
import type { AnomalyRow } from '../../projections/research/tables.ts'

/*
 * The shapes of what the questions about research answer, for the OpenAPI document. Each is written down as the codec of
 * the type that the question has: they cannot drift apart.
 */

type Codec<A> = t.Type<A, unknown>

const amounts = { pairs: t.number, researched: t.number, open: t.number }

const State: Codec<ResearchState> = t.keyof({
  unknown: null,
  withdrawn: null,
  done: null,
  excluded: null,
  parked: null,
  open: null,
})

export const ProgressCodec: Codec<Progress> = t.intersection([
  t.type({
    ...amounts,
    leased: t.number,
    episodes: t.number,
    clips: t.number,
    episodesDone: t.number,
    found: t.number,
    parked: t.number,
    rate: t.type({ day: t.number, hour: t.number }),
  }),
  t.partial({ forecast: t.string }),
])

export const EpisodeCodec: Codec<EpisodeProgress> = t.type({
  ...amounts,
  leased: t.number,
  episode: t.string,
  title: t.string,
  priority: t.number,
  found: t.number,
  state: State,
})

export const ClipCodec: Codec<ClipProgress> = t.type({
  ...amounts,
  clip: t.string,
  title: t.string,
  priority: t.number,
  found: t.number,
  occurrences: t.number,
  state: State,
})

export const LeaseCodec: Codec<LiveLease> = t.intersection([
  t.type({
    lease: t.string,
    episode: t.string,
    title: t.string,
    state: t.keyof({ waiting: null, taken: null, lapsed: null }),
    clips: t.number,
    done: t.number,
    open: t.number,
    ageSeconds: t.number,
    remainingSeconds: t.number,
    deadline: t.string,
  }),
  t.partial({ researcher: t.string }),
])

export const ResearcherCodec: Codec<ResearcherRow> = t.intersection([
  t.type({
    researcher: t.string,
    state: t.keyof({ gone: null, silent: null, blocked: null, draining: null, busy: null, idle: null }),
    leases: t.number,
    results: t.number,
    found: t.number,
    failures: t.number,
  }),
  t.partial({ lastResultAt: t.string, version: t.string }),
])

const match = { offset: t.number, score: t.number }

export const OccurrenceCodec: Codec<Occurrence> = t.type({
  ...match,
  episode: t.string,
  episodeTitle: t.string,
  clip: t.string,
  clipTitle: t.string,
  duration: t.number,
  link: t.string,
})

export const ParkedCodec: Codec<Parked> = t.intersection([
  t.type({
    subject: t.keyof({ episode: null, clip: null, pair: null }),
    failures: t.number,
    error: t.string,
    parkedAt: t.string,
    remedy: t.string,
  }),
  t.partial({ episode: t.string, clip: t.string }),
])

export const PairCodec: Codec<PairAnswer> = t.type({
  episode: t.string,
  clip: t.string,
  researched: t.boolean,
  results: t.readonlyArray(
    t.intersection([
      t.type({
        matches: t.readonlyArray(t.type(match)),
        engine: t.type({ name: t.string, version: t.string, settings: t.string }),
        researcher: t.string,
        researchedAt: t.string,
        counts: t.boolean,
      }),
      t.partial({ bestScore: t.number, lease: t.string, note: t.string }),
    ]),
  ),
})

export const DecisionCodec: Codec<Decision> = t.type({
  number: t.number,
  at: t.string,
  researchers: t.number,
  queued: t.number,
  position: t.number,
  added: t.number,
  stopped: t.keyof({ surplus: null, 'no-researchers': null, 'no-work': null, paused: null }),
  says: t.string,
})

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

export const AnomalyCodec: Codec<AnomalyRow> = t.type({
  kind: t.string,
  episode: t.string,
  clip: t.string,
  lease: t.string,
  researcher: t.string,
  times: numberOrNull,
  since: textOrNull,
  at: textOrNull,
  position: numberOrNull,
  says: textOrNull,
})
