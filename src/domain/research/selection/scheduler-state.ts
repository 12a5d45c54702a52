import type { RecordedEvent } from '../../kernel/event.ts'
import type { Readings } from '../capacity.ts'
import type { Policy } from '../policy/policy.ts'

/** A choice: one episode (L17) and clips of it, in the order in which they are to be researched. */
export interface Choice {
  readonly episode: string
  readonly clips: readonly string[]
}

export interface LeaseTerms {
  readonly lease: string
  readonly episode: string
  readonly clips: readonly string[]
  readonly deadline: string
  readonly notAfter: string
}

/** The reasons why an episode is next, or is not: all that apply, the weightiest first. */
export type EpisodeReason =
  | { readonly kind: 'next' }
  | {
      readonly kind:
        | 'unknown'
        | 'withdrawn'
        | 'excluded'
        | 'curator-excluded'
        | 'no-clips'
        | 'researched'
        | 'parked'
    }
  | { readonly kind: 'leased'; readonly until: string }
  | { readonly kind: 'backing-off'; readonly until: string }
  /** Its only open clips wait for more clips (the batching policy). */
  | { readonly kind: 'clips-wait'; readonly until: string }
  /** Others go first: the first of them, and their number. */
  | { readonly kind: 'behind'; readonly next: string; readonly places: number }

export type PairReason =
  | { readonly kind: 'open' }
  | {
      readonly kind:
        | 'unknown-clip'
        | 'clip-withdrawn'
        | 'clip-excluded'
        | 'clip-curator-excluded'
        | 'clip-parked'
        | 'pair-parked'
        | 'researched'
    }
  | { readonly kind: 'leased'; readonly lease: string; readonly until: string }
  | { readonly kind: 'clip-backing-off' | 'pair-backing-off' | 'clip-waits'; readonly until: string }

export interface Explanation {
  readonly episode: string
  /** The priority in force: a person's overrides the curator's. */
  readonly priority: number
  readonly firstCuratedAt?: string
  /** True if it or its curator is pinned. */
  readonly pinned: boolean
  readonly clips: {
    readonly total: number
    readonly researched: number
    readonly leased: number
    readonly open: number
  }
  readonly reasons: readonly EpisodeReason[]
}

/** The pairs that can be leased now, and those that wait. */
export interface Outlook {
  /** Number of items that hold all pairs that can be leased. */
  readonly items: number
  /** Number of those pairs, and of waiting clips that fill up the last items. */
  readonly pairs: number
  /** Numbers of pairs and of clips that wait for more clips (the batching policy). */
  readonly waitingPairs: number
  readonly waitingClips: number
  /** Latest time of the release of the waiting clips; absent if none waits. */
  readonly until?: string
}

/**
 * The assigner's model, folded from the log: open pairs, their order, present researchers. Selection follows L10 to L23
 * and takes microseconds, whatever the number of pairs. It is mutable.
 */
export interface SchedulerState {
  /** Returns a sentence if the event cannot be read: the state is then unchanged. */
  fold(event: RecordedEvent): string | undefined
  /**
   * Advances the state to a time, never back: leases expire, items lapse, researchers become absent, back-offs end,
   * clips have waited.
   */
  advance(now: string): void
  /** As of the last `advance`. */
  readings(): Readings
  paused(): boolean
  policy(): { readonly version: number; readonly policy: Policy }
  /** As of the last `advance`. Returns undefined if nothing can be leased, at no cost. */
  select(): Choice | undefined
  /** Adds a lease that is about to be written: its pairs and its item count at once. Its event then changes nothing. */
  hold(terms: LeaseTerms): void
  /** Removes a held lease that was not written after all. */
  unhold(lease: string): void
  /** Returns the time of the next change by time alone; undefined: never. */
  nextChange(): string | undefined
  explain(episode: string): Explanation
  explainPair(episode: string, clip: string): readonly PairReason[]
  /** Returns the next items, if nothing changed between them. */
  upcoming(max: number): readonly Choice[]
  outlook(): Outlook
  /** Returns a copy under other settings, in force since the last `advance`, without leases that are only held. */
  under(policy: Policy): SchedulerState
  size(): {
    readonly episodes: number
    readonly clips: number
    readonly researched: number
    readonly leases: number
  }
}
