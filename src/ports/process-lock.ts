import type { LockMark } from '../domain/kernel/leader-lease.ts'

/** A lock of the operating system, which releases it when the process ends, however it ends. */
export interface ProcessLock {
  /** This process's lock, taken on first use; undefined if the machine has none that is certain. */
  mark(): LockMark | undefined
  /**
   * True only if it is certain that the process which had this lock has ended: its file exists here, on the same boot
   * of the machine, and is free. A missing file proves nothing, and neither does a host's name.
   */
  hasEnded(mark: LockMark): boolean
  /** Removes lock files of ended processes, except the named ones: they are proof to others. */
  tidy(named: readonly LockMark[]): void
  release(): void
}
