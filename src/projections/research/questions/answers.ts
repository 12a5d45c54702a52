import * as t from 'io-ts'
import { Gaps, Match, Silent, Verdict } from '../../../domain/research/terms.ts'

/* Codecs of the answers. Durations and offsets are nanoseconds, times ISO 8601 UTC. */

const textOrNull = t.union([t.string, t.null])

const amounts = {
  pairs: t.number,
  researched: t.number,
  /** Neither researched nor leased. */
  open: t.number,
}
const Amounts = t.readonly(t.type({ ...amounts, leased: t.number }))
export type Amounts = t.TypeOf<typeof Amounts>

/** Over episodes and clips that are curated and not withdrawn. */
const totals = {
  ...amounts,
  leased: t.number,
  episodes: t.number,
  clips: t.number,
  episodesDone: t.number,
  /** Pairs with a match. */
  found: t.number,
  /** Episodes, clips and pairs that wait for a person. */
  parked: t.number,
  /** Episodes, clips and pairs that failed, and wait for their next try. */
  waiting: t.number,
}
const Forecast = t.partial({
  /** Time when all pairs are done that wait for no person, and for no next try, at the rate of `recent`. */
  forecast: t.string,
  /** Why there is none, in a sentence. */
  noForecast: t.string,
})

/** Something that failed, and is tried again at that time. */
const NextTry = t.readonly(
  t.intersection([
    t.type({
      subject: t.keyof({ episode: null, clip: null, pair: null }),
      /** In a row. */
      failures: t.number,
      error: t.string,
      at: t.string,
    }),
    t.partial({ episode: t.string, clip: t.string }),
  ]),
)
export type NextTry = t.TypeOf<typeof NextTry>

export const Parked = t.readonly(
  t.intersection([
    t.type({
      subject: t.keyof({ episode: null, clip: null, pair: null }),
      /** Failures; or, where `error` says so, leases in a row whose researchers fell silent. */
      failures: t.number,
      error: t.string,
      parkedAt: t.string,
      /** The command that retries it. */
      remedy: t.string,
    }),
    t.partial({ episode: t.string, clip: t.string }),
  ]),
)
export type Parked = t.TypeOf<typeof Parked>

export const Progress = t.readonly(
  t.intersection([
    t.type({
      ...totals,
      /** Pairs an hour: over the last 24 hours with work, and the last hour. */
      rate: t.readonly(t.type({ day: t.number, hour: t.number })),
      /** Pairs researched since a time, 24 hours ago at most: the forecast is reckoned by it. */
      recent: t.readonly(t.type({ pairs: t.number, since: t.string })),
      /** Time of the answer. */
      at: t.string,
      /** The first of those that wait for their next try. */
      nextTries: t.readonlyArray(NextTry),
      /** The first of those that wait for a person. */
      firstParked: t.readonlyArray(Parked),
    }),
    Forecast,
  ]),
)
export type Progress = t.TypeOf<typeof Progress>

/** The same in one row, for a spreadsheet. */
export const ProgressRow = t.intersection([
  t.type({ ...totals, hourlyOverDay: t.number, lastHour: t.number, lastDay: t.number }),
  Forecast,
  t.partial({ nextTryAt: t.string }),
])

/** The first of: nobody curated it, withdrawn, all of its pairs done, excluded (it or its curator), parked; else open. */
const ResearchState = t.keyof({
  unknown: null,
  withdrawn: null,
  done: null,
  excluded: null,
  parked: null,
  open: null,
})
export type ResearchState = t.TypeOf<typeof ResearchState>

export const EpisodeProgress = t.readonly(
  t.type({
    ...amounts,
    leased: t.number,
    episode: t.string,
    title: t.string,
    priority: t.number,
    found: t.number,
    state: ResearchState,
  }),
)
export type EpisodeProgress = t.TypeOf<typeof EpisodeProgress>

export const ClipProgress = t.readonly(
  t.type({
    ...amounts,
    clip: t.string,
    title: t.string,
    priority: t.number,
    found: t.number,
    occurrences: t.number,
    state: ResearchState,
  }),
)
export type ClipProgress = t.TypeOf<typeof ClipProgress>

export const LiveLease = t.readonly(
  t.intersection([
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
  ]),
)
export type LiveLease = t.TypeOf<typeof LiveLease>

export const Researcher = t.readonly(
  t.intersection([
    t.type({
      researcher: t.string,
      /** The first of: it left (or never came), silent for too long, blocked, draining, with a lease, without one. */
      state: t.keyof({ gone: null, silent: null, blocked: null, draining: null, busy: null, idle: null }),
      leases: t.number,
      results: t.number,
      found: t.number,
      failures: t.number,
    }),
    t.partial({ lastResultAt: t.string, version: t.string }),
  ]),
)
export type Researcher = t.TypeOf<typeof Researcher>

/** A clip in an episode, at one place, for timelines and lists of episodes. */
export const Occurrence = t.readonly(
  t.intersection([
    t.type({
      offset: t.number,
      score: t.number,
      episode: t.string,
      episodeTitle: t.string,
      clip: t.string,
      clipTitle: t.string,
      /** Duration of the part of the clip that the episode has. */
      duration: t.number,
      /** Media address with the moment, as players take it: `https://…#t=1754.2`. */
      link: t.string,
    }),
    t.partial({
      /** The episode begins or ends within the clip: it has the part of it between these two places. */
      partFrom: t.number,
      partTo: t.number,
      /** The episode plays the clip so much faster: 1.01 is one per cent. Absent: as it is. */
      speed: t.number,
      /** Another clip claims the same place: the best of the others, and the rank of this one among all; 1 is the best. */
      rival: t.string,
      rank: t.number,
      /** Nanoseconds of the episode that cannot be decoded: `timeline` and `query research-gaps` say where. */
      undecoded: t.number,
      /** A person's verdict on it, and who gave it. */
      verdict: Verdict,
      judgedBy: textOrNull,
    }),
  ]),
)
export type Occurrence = t.TypeOf<typeof Occurrence>

const PairResult = t.readonly(
  t.intersection([
    t.type({
      matches: t.readonlyArray(Match),
      engine: t.type({ name: t.string, version: t.string, settings: t.string }),
      researcher: t.string,
      researchedAt: t.string,
      /** At most one does; none while the pair is to be researched again. */
      counts: t.boolean,
    }),
    /** `note`: a remark of the researcher, for people. `gaps`: stretches that could not be decoded. */
    t.partial({ bestScore: t.number, lease: t.string, note: t.string, gaps: Gaps, silent: Silent }),
  ]),
)

/** One pair: its state and every result it had. */
export const PairAnswer = t.readonly(
  t.type({
    episode: t.string,
    clip: t.string,
    researched: t.boolean,
    results: t.readonlyArray(PairResult),
  }),
)
export type PairAnswer = t.TypeOf<typeof PairAnswer>

/** A result; its offsets and scores with spaces between. */
export const PairRow = t.intersection([
  t.type({
    episode: t.string,
    clip: t.string,
    offsets: t.string,
    scores: t.string,
    engine: t.string,
    version: t.string,
    settings: t.string,
    researcher: t.string,
    researchedAt: t.string,
    counts: t.boolean,
  }),
  t.partial({
    bestScore: t.number,
    lease: t.string,
    note: t.string,
    /** Stretches that could not be decoded: where they begin, and the nanoseconds of all. */
    gapOffsets: t.string,
    undecoded: t.number,
  }),
])
export type PairRow = t.TypeOf<typeof PairRow>

/** One assessment of capacity by the assigner (L1 to L9). */
export const Decision = t.readonly(
  t.type({
    number: t.number,
    at: t.string,
    researchers: t.number,
    queued: t.number,
    /** Researchers less items, as of its end (L5); null if no researcher is there: then it is not computed. */
    position: t.union([t.number, t.null]),
    added: t.number,
    stopped: t.keyof({ surplus: null, 'no-researchers': null, 'no-work': null, paused: null }),
    /** A sentence. */
    says: t.string,
  }),
)
export type Decision = t.TypeOf<typeof Decision>
