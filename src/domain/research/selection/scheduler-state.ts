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

/** Why an episode is next, or is not: all reasons that hold, the weightiest first. */
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
  /** Others go first: the first of them, and how many there are. */
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
  /** In force, with a person's word before the curator's. */
  readonly priority: number
  readonly firstCuratedAt?: string
  /** Or its curator is. */
  readonly pinned: boolean
  readonly clips: {
    readonly total: number
    readonly researched: number
    readonly leased: number
    readonly open: number
  }
  readonly reasons: readonly EpisodeReason[]
}

/** What can be leased now, and what waits. */
export interface Outlook {
  /** Items that hold all pairs that can be leased. */
  readonly items: number
  /** Those pairs, and waiting clips that fill up the last items. */
  readonly pairs: number
  /** Pairs and clips that wait for more clips (the batching policy). */
  readonly waitingPairs: number
  readonly waitingClips: number
  /** When the waiting clips are released at the latest; absent where none waits. */
  readonly until?: string
}

/**
 * The assigner's model, folded from the log: what is open, what goes first, who is there. Selection follows L10 to L23 and
 * takes microseconds, whatever the number of pairs. It is no value: it is changed in place.
 */
export interface SchedulerState {
  /** A sentence where the event cannot be read: the state is then as before it. */
  fold(event: RecordedEvent): string | undefined
  /** Brings it to a time, never back: leases expire, items lapse, researchers fall silent, back-offs end, clips have waited. */
  advance(now: string): void
  /** As of the last `advance`. */
  readings(): Readings
  paused(): boolean
  policy(): { readonly version: number; readonly policy: Policy }
  /** As of the last `advance`. Undefined where nothing can be leased, which costs nothing to find out. */
  select(): Choice | undefined
  /** A lease that is about to be written: its pairs and its item count at once. Its event then changes nothing. */
  hold(terms: LeaseTerms): void
  /** The lease was not written after all. */
  unhold(lease: string): void
  /** When time alone will change something; undefined: never. */
  nextChange(): string | undefined
  explain(episode: string): Explanation
  explainPair(episode: string, clip: string): readonly PairReason[]
  /** The next items, if nothing changed between them. */
  upcoming(max: number): readonly Choice[]
  outlook(): Outlook
  /** A copy under other settings, in force since the last `advance`, without what is only held. */
  under(policy: Policy): SchedulerState
  size(): {
    readonly episodes: number
    readonly clips: number
    readonly researched: number
    readonly leases: number
  }
}
