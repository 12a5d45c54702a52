import type { DatabaseSync } from 'node:sqlite'
import { createGroupWriter, type Job } from './group-writer.ts'
import type { SameFiles } from './same-files.ts'
import { WriterAway } from './write-failures.ts'

/**
 * Work of one event-loop turn goes into one transaction and so shares one fsync: with many writers at once, full
 * durability costs next to nothing.
 */
export interface GroupCommit {
  /**
   * Runs `work` in the next transaction and resolves with its result once that is on disk. `work` is synchronous and
   * may be run again: when any work of a group throws, the group is rolled back and each is run on its own, so that
   * one failure is never another's. Rejects with what `work` threw, or with `WriterAway`. `size`: how many writes it counts for.
   * `onCommitted` is called once it is on disk, before anybody is told of the change.
   */
  submit<A>(work: () => A, size?: number, onCommitted?: (result: A) => void): Promise<A>
  /** Why the machine could not write the last time that it could not, since `clearFailure` was called. */
  lastFailure(): string | undefined
  clearFailure(): void
  /** Resolves when nothing is waiting; further work is rejected. */
  drain(): Promise<void>
}

/** Writes. Bounds how long one transaction keeps the event loop and other processes waiting. */
const maxGroup = 2000
const maxLockedMillis = 15_000

export const createGroupCommit = (
  db: DatabaseSync,
  file: string,
  afterCommit: () => void,
  lost: SameFiles = () => undefined,
): GroupCommit => {
  const { write, lastFailure, clearFailure } = createGroupWriter(db, file, afterCommit, lost)
  let waiting: Job[] = []
  let scheduled = false
  let closed = false
  let lockedSince: number | undefined
  const idle: (() => void)[] = []

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  const flush = () => {
    scheduled = false
    const group = waiting.splice(0, fitting(waiting))
    const { locked, hasBegun } = write(group)
    if (hasBegun) lockedSince = undefined
    if (locked.length > 0) waitForLock(locked)
    else goOn()
  }

  const goOn = () => {
    if (waiting.length > 0) schedule()
    else for (const resolve of idle.splice(0)) resolve()
  }

  /** The driver's own waiting would block the event loop, so a long lock is waited for outside of it. */
  const waitForLock = (group: readonly Job[]) => {
    lockedSince ??= Date.now()
    if (Date.now() - lockedSince > maxLockedMillis) {
      lockedSince = undefined
      const error = new WriterAway(
        'the database is locked by another process; is a backup or a long write running?',
      )
      for (const job of group) job.reject(error)
      return goOn()
    }
    waiting = [...group, ...waiting]
    scheduled = true
    setTimeout(flush, 2 + Math.random() * 10)
  }

  return {
    submit: <A>(work: () => A, size = 1, onCommitted?: (result: A) => void) =>
      new Promise<A>((resolve, reject) => {
        if (closed) return reject(new WriterAway('the database is closed'))
        const committed = (result: A): void => {
          onCommitted?.(result)
          resolve(result)
        }
        waiting.push({ work, size, resolve: committed, reject })
        schedule()
      }),
    lastFailure,
    clearFailure,
    drain: () => {
      closed = true
      return waiting.length === 0 && !scheduled
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve))
    },
  }
}

/** How many of the first jobs a group holds: at least one. */
const fitting = (jobs: readonly Job[]): number => {
  let size = 0
  for (const [i, job] of jobs.entries()) {
    size += job.size
    if (size > maxGroup) return Math.max(1, i)
  }
  return jobs.length
}
