import type { Difference } from '../ports/view-store.ts'
import type { RebuildPhase } from '../projections/runtime/rebuild.ts'

/** The actor of a request, with the reason. */
export interface By {
  readonly actor: string
  readonly reason: string
}

/** A requested rebuild, by whom and why. */
export interface RebuildWish extends By {
  /** Compare row by row with the live views first. */
  readonly verify: boolean
  /** Replace them even if rows differ. */
  readonly promote: boolean
}

/**
 * `replaced`: the new views are the live ones. `different`: rows differ, so the new ones were dropped. `failed`,
 * `stopped`: they were dropped, too, unless the log is not what was sealed: then they wait. In all of these and until then the live ones answer.
 */
export type RebuildState = RebuildPhase | 'replaced' | 'different' | 'failed' | 'stopped'

/** The current or last rebuild of this process. */
export interface Rebuild extends RebuildWish {
  readonly projection: string
  readonly state: RebuildState
  readonly startedAt: string
  readonly endedAt: string | null
  /** Folded up to here; -1n before the first event. */
  readonly position: bigint
  /** End of the log when it began. */
  readonly end: bigint
  readonly events: number
  /** Null if rows were not compared. */
  readonly differences: readonly Difference[] | null
  readonly error: string | null
}
