import { json, text, type ViewShape } from '../kernel/view.ts'
import { capacity, hours, policy } from './policy-views.ts'
import type { Match, Verdict } from './terms.ts'

export { capacity, hours, keptDecisions, policy } from './policy-views.ts'

/*
 * Where each result writes a long bitmap anew, or a list, the past is not kept: it would be all results times all clips.
 *
 * No view has a row a pair: there are tens of millions. Each episode has bitmaps of its done pairs, by clip number; findings,
 * failures and leases have rows, since they are few. What every result changes is apart from curation, in rows without
 * indexes.
 */

/** Columns of episodes and clips alike. */
const curation = {
  title: 'text',
  description: 'text',
  mediaUri: 'text',
  mediaType: 'text',
  /** 1 where who named the media is a stranger to this machine. */
  foreign: 'integer',
  curator: 'text',
  /** In force: a person's word before the curator's. */
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
   * Of its own media: how often in a row, the last error, when it is tried again, since when it is parked; an episode may be
   * for its silence as well.
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
    /** Pairs done, and pairs with a match, of whatever clips. */
    researched: 'integer',
    found: 'integer',
    /** `{<engine and version>: <bitmap>}`: the pairs done, by the engine whose result counts; a pair is in one. */
    done: json<Readonly<Record<string, string>>>(),
    /** Bitmaps of the pairs that have a finding: those with a match, and those without one, as of the result that counts. */
    matched: 'text',
    overturned: 'text',
    /** Nanoseconds, by the last result. */
    duration: 'integer',
    hash: 'text',
    lastResultAt: 'text',
    /** 1 while its own media failed last; the clips that have a row in the failures. */
    failing: 'integer',
    failingClips: json<readonly string[] | null>(),
    /** Leases in a row of which nothing was heard again; with as many as `attempts` it is parked. */
    silent: 'integer',
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
    /** As of episodes. */
    state: 'text',
    /** Episodes it was found in, and how often altogether; withdrawn episodes count. */
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
    /** Not withdrawn, in the order in which they came. */
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
    /** Which of its clips are done, as a bitmap over their order; null once it has ended. */
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
  // Each result writes the row anew, and every index with it. Those that are not ended are few.
  indexes: [['state', 'deadline']],
  history: { by: [['state']] },
} as const satisfies ViewShape

/** Apart from the lease's row, which every result writes anew. */
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
    /** It is there while now is before; null when it has left. */
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
    /** `[{offset, score}]`, nanoseconds; empty where a later engine found none. */
    matches: json<readonly Match[]>(),
    matchCount: 'integer',
    bestScore: 'real',
    clipDuration: 'integer',
    engine: 'json',
    researcher: 'text',
    lease: 'text',
    researchedAt: 'text',
    /** Of the event in the stream of the episode. */
    revision: 'integer',
    /** Results before and beside it, the latest so many: `[{matches, bestScore, engine, researcher, researchedAt, revision}]`. */
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
    /** Of the match, in nanoseconds. */
    offset: 'integer',
    verdict: text<Verdict>(),
    actor: 'text',
    reason: 'text',
    at: 'text',
  },
} as const satisfies ViewShape

/** Other results of a pair kept in the view; the log has all. */
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
  indexes: [['parkedAt']],
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
    /** What it is about; empty text where it is about none. */
    episode: 'text',
    clip: 'text',
    lease: 'text',
    researcher: 'text',
    /** How often, since when, and the last time. */
    times: 'integer',
    since: 'text',
    at: 'text',
    position: 'integer',
    /** A sentence: what it is, by its last example, and what to do. */
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
  failures,
  anomalies,
  capacity,
  hours,
  policy,
] as const
