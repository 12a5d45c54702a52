import { json, text, type ViewShape } from '../kernel/view.ts'
import { capacity, hours, policy } from './policy-views.ts'
import type { Gap, Match, Verdict } from './terms.ts'

export { capacity, hours, keptDecisions, policy } from './policy-views.ts'

/*
 * Views in which each result rewrites a long bitmap, or a list, have no history: it would be all results times all
 * clips.
 *
 * No view has a row per pair: there are tens of millions. Each episode has bitmaps of its done pairs, by clip number;
 * findings, failures and leases have rows, since they are few. Columns that every result changes are separate from
 * curation, in rows without indexes.
 */

/** Columns of episodes and clips alike. */
const curation = {
  title: 'text',
  description: 'text',
  mediaUri: 'text',
  mediaType: 'text',
  /** 1 if the media were named by a party outside this machine. */
  foreign: 'integer',
  curator: 'text',
  /** In force: a person's overrides the curator's. */
  priority: 'integer',
  curatorPriority: 'integer',
  /** Null unless a person has set one. */
  personPriority: 'integer',
  firstCuratedAt: 'text',
  curatedAt: 'text',
  withdrawnAt: 'text',
  excluded: 'integer',
  pinned: 'integer',
  /**
   * Failures of its own media: their number in a row, the last error, the time of the next attempt, the time since when
   * it is parked; an episode may also be parked for silent leases.
   */
  failures: 'integer',
  error: 'text',
  retryAt: 'text',
  parkedAt: 'text',
} as const

export const episodes = {
  name: 'research-episodes',
  description: 'Every episode, as its curator last described it.',
  key: ['episode'],
  columns: { episode: 'text', ...curation },
  indexes: [['mediaUri'], ['parkedAt'], ['curator'], ['title']],
  history: {},
} as const satisfies ViewShape

export const clips = {
  name: 'research-clips',
  description: 'Every clip, as its curator last described it.',
  key: ['clip'],
  columns: { clip: 'text', ...curation },
  indexes: [['mediaUri'], ['parkedAt'], ['curator'], ['title']],
  history: {},
} as const satisfies ViewShape

export const episodeResults = {
  name: 'research-episode-results',
  description: 'How far the research of each episode is, and which clips are done in it.',
  key: ['episode'],
  columns: {
    episode: 'text',
    /** `live` (curated and not withdrawn), `withdrawn`, or `unknown`: only results name it. */
    state: 'text',
    /** Numbers of pairs done, and of pairs with a match, with any clips. */
    researched: 'integer',
    found: 'integer',
    /** `{<engine and version>: <bitmap>}`: the pairs done, by the engine whose result counts; a pair is in one. */
    done: json<Readonly<Record<string, string>>>(),
    /**
     * Bitmaps of the pairs that have a finding: those with a match, and those without one, as of the result that
     * counts.
     */
    matched: 'text',
    overturned: 'text',
    /** Nanoseconds, by the last result. */
    duration: 'integer',
    hash: 'text',
    lastResultAt: 'text',
    /**
     * `failing`: 1 if the last attempt on its own media failed; `failingClips`: the clips that have a row in the
     * failures.
     */
    failing: 'integer',
    failingClips: json<readonly string[] | null>(),
    /** Number of silent leases in a row, without any report; with as many as `attempts` it is parked. */
    silent: 'integer',
    /** 1 if all of its recording was decoded and no channel has any sound, by the last result that tells. */
    soundless: 'integer',
  },
} as const satisfies ViewShape

export const clipResults = {
  name: 'research-clip-results',
  description: 'The number of each clip in bitmaps, and how often it was found.',
  key: ['clip'],
  columns: {
    clip: 'text',
    /** From 0, in the order of the log. A clip that only results name has one too. */
    number: 'integer',
    /** As for episodes. */
    state: 'text',
    /** `found`: number of episodes it was found in; `occurrences`: number of matches; withdrawn episodes count. */
    found: 'integer',
    occurrences: 'integer',
    /** Nanoseconds, by the last result. */
    duration: 'integer',
    hash: 'text',
  },
  history: {},
} as const satisfies ViewShape

const media = {
  name: 'research-media',
  description: 'Which episodes, and which clips, have the same media.',
  key: ['subject', 'uri'],
  columns: {
    /** `episode` or `clip`. */
    subject: 'text',
    uri: 'text',
    /** Ids that are not withdrawn, in the order of their arrival. */
    ids: json<readonly string[]>(),
  },
} as const satisfies ViewShape

export const leases = {
  name: 'research-leases',
  description: 'Every lease: who has it, until when, what is done of it.',
  key: ['lease'],
  columns: {
    lease: 'text',
    episode: text(),
    /** `waiting` (to be taken), `taken`, `lapsed` (nobody took it; its pairs are held), `ended`. */
    state: text<'waiting' | 'taken' | 'lapsed' | 'ended'>(),
    researcher: 'text',
    /** Its done clips, as a bitmap over their order; null once it has ended. */
    done: 'text',
    clipCount: 'integer',
    doneCount: 'integer',
    failedCount: 'integer',
    grantedAt: text(),
    takenAt: 'text',
    notAfter: text(),
    deadline: text(),
    lastResultAt: 'text',
    endedAt: 'text',
    /** `finished` (a final result), `failed` (its episode did), `released`, `revoked`, `expired`. */
    ended: 'text',
    reason: 'text',
  },
  // Each result rewrites the row, and its entry in every index. Leases that have not ended are few.
  indexes: [['state', 'deadline']],
  history: { by: [['state']] },
} as const satisfies ViewShape

/** Separate from the lease's row, which every result rewrites. */
export const leaseClips = {
  name: 'research-lease-clips',
  description: 'The clips of each lease that has not ended.',
  key: ['lease'],
  columns: {
    lease: 'text',
    /** Ids in their order. */
    clips: json<readonly string[]>(),
  },
} as const satisfies ViewShape

export const researchers = {
  name: 'research-researchers',
  description: 'Who does research: since when, until when it counts as there, what it did.',
  key: ['researcher'],
  columns: {
    researcher: 'text',
    version: 'text',
    engine: 'json',
    mediaTypes: 'json',
    registeredAt: 'text',
    /** It counts as present before this time; null if it has left. */
    presentUntil: 'text',
    draining: 'integer',
    blocked: 'integer',
    blockedReason: 'text',
    taken: 'integer',
    results: 'integer',
    found: 'integer',
    failures: 'integer',
    lastResultAt: 'text',
    goneAt: 'text',
  },
  indexes: [['goneAt', 'presentUntil']],
  history: {},
} as const satisfies ViewShape

export const findings = {
  name: 'research-findings',
  description: 'Every pair in which a match was ever found, with the result that counts now.',
  key: ['episode', 'clip'],
  columns: {
    episode: 'text',
    clip: 'text',
    /** `[{offset, score}]`, nanoseconds; empty if a later engine found none. No two overlap, unless a person judged them. */
    matches: json<readonly Match[]>(),
    /** Matches of the result that overlap a better one: of one place with it. Null if there are none. */
    overlapping: json<readonly Match[] | null>(),
    matchCount: 'integer',
    bestScore: 'real',
    clipDuration: 'integer',
    engine: 'json',
    researcher: 'text',
    lease: 'text',
    researchedAt: 'text',
    /** Revision of the event in the stream of the episode. */
    revision: 'integer',
    /**
     * Earlier and other results, at most `keptOthers`, the latest: `[{matches, bestScore, engine, researcher,
     * researchedAt, revision}]`.
     */
    others: 'json',
  },
  indexes: [['clip', 'episode']],
  history: { by: [['clip']] },
} as const satisfies ViewShape

export const verdicts = {
  name: 'research-verdicts',
  description: 'What persons said of places where clips were found: the last word on each.',
  key: ['episode', 'clip', 'offset'],
  columns: {
    episode: 'text',
    clip: 'text',
    /** Offset of the match, in nanoseconds. */
    offset: 'integer',
    verdict: text<Verdict>(),
    actor: 'text',
    reason: 'text',
    at: 'text',
  },
} as const satisfies ViewShape

export const gaps = {
  name: 'research-gaps',
  description: 'Every episode of which a part cannot be decoded, and where, by the last result.',
  key: ['episode'],
  columns: {
    episode: 'text',
    count: 'integer',
    /** Nanoseconds, of all gaps. */
    duration: 'integer',
    /** `[{offset, duration}]`, nanoseconds; the longest if there are many. */
    places: json<readonly Gap[]>(),
  },
  history: {},
} as const satisfies ViewShape

/** Number of other results of a pair that the view keeps; the log has all. */
export const keptOthers = 100

export const failures = {
  name: 'research-failures',
  description: 'Pairs whose search failed: when they are tried again, or since when they are parked.',
  key: ['episode', 'clip'],
  columns: {
    episode: 'text',
    clip: 'text',
    failures: 'integer',
    stage: 'text',
    error: 'text',
    researcher: 'text',
    failedAt: 'text',
    retryAt: 'text',
    parkedAt: 'text',
  },
  indexes: [['parkedAt'], ['retryAt']],
  history: {},
} as const satisfies ViewShape

export const anomalies = {
  name: 'research-anomalies',
  description:
    'What should not happen, and is kept when it does: one row for all of a kind that are about the same.',
  key: ['kind', 'episode', 'clip', 'lease', 'researcher'],
  columns: {
    /**
     * `outside-lease`, `late`, `unknown-lease`, `no-lease`, `repeat`, `not-the-holder`, `unknown-episode`,
     * `unknown-clip`, `duplicate-media`, `media-changed`.
     */
    kind: 'text',
    /** Its subjects; empty text for none. */
    episode: 'text',
    clip: 'text',
    lease: 'text',
    researcher: 'text',
    /** Number of occurrences, time of the first, time of the last. */
    times: 'integer',
    since: 'text',
    at: 'text',
    position: 'integer',
    /** A sentence: the anomaly, by its last example, and the fix. */
    says: 'text',
  },
  indexes: [['kind', 'position'], ['episode'], ['clip'], ['position']],
  history: { by: [['kind', 'position']] },
} as const satisfies ViewShape

export const views = [
  episodes,
  clips,
  episodeResults,
  clipResults,
  media,
  leases,
  leaseClips,
  researchers,
  findings,
  verdicts,
  gaps,
  failures,
  anomalies,
  capacity,
  hours,
  policy,
] as const
