import type { Checkpoint } from './checkpoint-store.ts'

/** A copy of all live views: their rows, without their past. It is never changed, and may be deleted at any time. */
export interface ViewCopy {
  /** In which it was made: `2026-11`, UTC. */
  readonly month: string
  readonly bytes: number
}

/** Views of a projection as a copy has them. */
export interface CopiedViews extends Pick<ViewCopy, 'month'> {
  readonly projection: string
  readonly version: number
  /** Of the generation that was copied. */
  readonly id: number
  readonly file: string
  /** Id of the log that they were folded from; undefined where that is not known. */
  readonly log: string | undefined
  readonly checkpoint: Checkpoint
}

/** Copies of views: questions as of moments that views keep no past of are folded on from the nearest. */
export interface ViewCopies {
  /** The oldest first. */
  kept(): readonly ViewCopy[]
  /** The views in all copies, the oldest first. A copy that cannot be read has none. */
  views(): readonly CopiedViews[]
  /**
   * Copies the live views in a thread, unless another process is at it. Rejects with `UnavailableError` where it cannot be done, and with
   * the signal's reason: nothing is left of it then.
   */
  make(month: string, signal: AbortSignal): Promise<void>
  remove(month: string): void
}
