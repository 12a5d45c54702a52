import type { LockMark } from '../domain/kernel/leader-lease.ts'

/** A lock of the operating system, which frees it when the process ends, however it ends. */
export interface ProcessLock {
  /** This process's, taken when first asked for; undefined where the machine has none that is certain. */
  mark(): LockMark | undefined
  /**
   * True only where it is certain that the process which had this lock has ended: its file exists here, on the machine as
   * it was booted then, and is free. A file that is missing proves nothing, and neither does a host's name.
   */
  hasEnded(mark: LockMark): boolean
  /** Removes files of processes that have ended, but for those named: they are proof to others. */
  tidy(named: readonly LockMark[]): void
  release(): void
}
