import type { RecordedEvent } from '../../kernel/event.ts'
import type { Readings } from '../capacity.ts'
import type { Policy } from '../desk/policy.ts'

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

/** Why an episode is, or is not, what would be handed out. All reasons that hold, the weightiest first. */
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
  /** Its only open clips wait for others to be handed out with (the batching policy). */
  | { readonly kind: 'clips-wait'; readonly until: string }
  /** Others go first: the next one, and how many stand before it. */
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
  readonly firstCuratedAt: string | undefined
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

/** What can be handed out, and what waits. */
export interface Outlook {
  /** So many items hold all pairs that can be handed out. */
  readonly items: number
  /** Those pairs, with the waiting clips that come along in items that are not full. */
  readonly pairs: number
  /** Pairs that wait for more clips to come (the batching policy), and the clips that do. */
  readonly waitingPairs: number
  readonly waitingClips: number
  /** When they are let go at the latest; absent where no clip waits. */
  readonly until?: string
}

/**
 * Everything the assigner knows, folded from the log: what is open, what goes first, who is there. Selection follows L10
 * to L23; it takes microseconds whatever the number of pairs (reference §5). Not a value: it is changed in place.
 */
export interface Board {
  /** A sentence where the event cannot be read: the board then stands before it. Leases it has already are left as they are. */
  fold(event: RecordedEvent): string | undefined
  /** Brings it to a time: leases end, items lapse, researchers are missed, back-offs end, clips have waited. Never back. */
  advance(now: string): void
  /** As of the last `advance`. */
  readings(): Readings
  paused(): boolean
  policy(): { readonly version: number; readonly policy: Policy }
  /** As of the last `advance`; undefined where nothing can be handed out: that costs nothing to say. */
  select(): Choice | undefined
  /** A lease that is about to be written down: its pairs and its item count at once. The event that tells it changes nothing more. */
  hold(terms: LeaseTerms): void
  /** It was not written after all. */
  unhold(lease: string): void
  /** When time alone will change something; undefined: never. */
  nextChange(): string | undefined
  explain(episode: string): Explanation
  explainPair(episode: string, clip: string): readonly PairReason[]
  /** The first so many that would be handed out, one item each, were nothing to change between. */
  upcoming(most: number): readonly Choice[]
  outlook(): Outlook
  /** A board of its own: as this one would be, had these settings come into force at the last `advance`. What is only held is not on it. */
  under(policy: Policy): Board
  size(): {
    readonly episodes: number
    readonly clips: number
    readonly researched: number
    readonly leases: number
  }
}
