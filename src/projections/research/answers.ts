import type { Match } from '../../domain/research/terms.ts'

/* What the questions answer; each is asked of the views, in whatever process. Durations and offsets in nanoseconds. */

export interface Amounts {
  readonly pairs: number
  readonly researched: number
  readonly leased: number
  /** Neither researched nor leased. */
  readonly open: number
}

/** Over episodes and clips that are curated and not withdrawn. */
export interface Progress extends Amounts {
  readonly episodes: number
  readonly clips: number
  readonly episodesDone: number
  /** Pairs with a match. */
  readonly found: number
  /** Episodes, clips and pairs that wait for a person. */
  readonly parked: number
  /** Pairs an hour: over the last 24 hours with work, and the last hour. */
  readonly rate: { readonly day: number; readonly hour: number }
  /** When all that waits for no person is done, at the day's rate; undefined where nothing is done, or to do. */
  readonly forecast?: string
}

export interface EpisodeProgress extends Amounts {
  readonly episode: string
  readonly title: string
  readonly priority: number
  readonly found: number
  readonly state: ResearchState
}

/** The first of: nobody curated it, withdrawn, all of its pairs done, excluded (it or its curator), parked; else open. */
export type ResearchState = 'unknown' | 'withdrawn' | 'done' | 'excluded' | 'parked' | 'open'

export interface ClipProgress extends Omit<Amounts, 'leased'> {
  readonly clip: string
  readonly title: string
  readonly priority: number
  readonly found: number
  readonly occurrences: number
  readonly state: ResearchState
}

export interface LiveLease {
  readonly lease: string
  readonly episode: string
  readonly title: string
  readonly state: 'waiting' | 'taken' | 'lapsed'
  readonly researcher?: string
  readonly clips: number
  readonly done: number
  readonly open: number
  readonly ageSeconds: number
  readonly remainingSeconds: number
  readonly deadline: string
}

export interface ResearcherRow {
  readonly researcher: string
  /** The first of: it left (or never came), silent for too long, blocked, draining, with a lease, without one. */
  readonly state: 'gone' | 'silent' | 'blocked' | 'draining' | 'busy' | 'idle'
  readonly leases: number
  readonly results: number
  readonly found: number
  readonly failures: number
  readonly lastResultAt?: string
  readonly version?: string
}

/** A clip in an episode, at one place: what a timeline and a list of episodes are made of. */
export interface Occurrence extends Match {
  readonly episode: string
  readonly episodeTitle: string
  readonly clip: string
  readonly clipTitle: string
  /** Offset and length of the clip. */
  readonly duration: number
  /** Media address with the moment, as players take it: `https://…#t=1754.2`. */
  readonly link: string
}

export interface Parked {
  readonly subject: 'episode' | 'clip' | 'pair'
  readonly episode?: string
  readonly clip?: string
  /** Or, where `error` says so, researchers in a row who were not heard of again. */
  readonly failures: number
  readonly error: string
  readonly parkedAt: string
  /** The command that has it tried again. */
  readonly remedy: string
}

/** One pair, whole: where it stands and every result it had. */
export interface PairAnswer {
  readonly episode: string
  readonly clip: string
  readonly researched: boolean
  readonly results: readonly {
    readonly matches: readonly Match[]
    readonly bestScore?: number
    readonly engine: { readonly name: string; readonly version: string; readonly settings: string }
    readonly researcher: string
    readonly lease?: string
    readonly researchedAt: string
    /** What the researcher added, for people. */
    readonly note?: string
    /** At most one does; none while the pair is to be researched again. */
    readonly counts: boolean
  }[]
}

/** One look of the assigner at the number of researchers and items (L1 to L9). */
export interface Decision {
  readonly number: number
  readonly at: string
  readonly researchers: number
  readonly queued: number
  /** Researchers less items, as of its end (L5). */
  readonly position: number
  readonly added: number
  readonly stopped: 'surplus' | 'no-researchers' | 'no-work' | 'paused'
  /** A sentence. */
  readonly says: string
}
