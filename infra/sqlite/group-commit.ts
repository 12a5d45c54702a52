import type { DatabaseSync } from 'node:sqlite'
import type { Unavailable } from '../../src/ports/event-store.ts'
import type { SameFiles } from './same-files.ts'
import { explained, isBusy, WriterAway } from './write-faults.ts'

export { WriterAway }

/**
 * Work of one event-loop turn goes into one transaction and so shares one fsync: with many writers at once, full
 * durability costs next to nothing.
 */
export interface GroupCommit {
  /**
   * Runs `work` in the next transaction and resolves with its result once that is on disk. `work` is synchronous and
   * may be run again: when any work of a group throws, the group is rolled back and each is run on its own, so that
   * one failure is never another's. Rejects with what `work` threw, or with `WriterAway`.
   */
  submit<A>(work: () => A): Promise<A>
  /** Why the last work was refused that the machine refused, since `recovered` was called. */
  refused(): string | undefined
  recovered(): void
  /** Resolves when nothing is waiting; further work is refused. */
  drain(): Promise<void>
}

export const unavailable = (error: unknown): Unavailable => ({
  kind: 'Unavailable',
  reason: error instanceof Error ? error.message : String(error),
})

interface Job {
  readonly work: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Bounds how long one transaction keeps the event loop and other processes waiting. */
const largestGroup = 512
const lockedForTooLong = 15_000

export const groupCommit = (
  db: DatabaseSync,
  file: string,
  afterCommit: () => void,
  lost: SameFiles = () => undefined,
): GroupCommit => {
  let waiting: Job[] = []
  let scheduled = false
  let closed = false
  let lockedSince: number | undefined
  let refused: string | undefined
  const idle: (() => void)[] = []

  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  const flush = () => {
    scheduled = false
    const group = waiting.length <= largestGroup ? waiting : waiting.slice(0, largestGroup)
    waiting = group === waiting ? [] : waiting.slice(largestGroup)
    const outcome = transact(group)
    if (outcome === 'locked') return waitForLock(group)
    lockedSince = undefined
    if (outcome === 'failed') {
      const stuck = group.findIndex((job) => alone(job) === 'locked')
      if (stuck >= 0) return waitForLock(group.slice(stuck))
    }
    if (waiting.length > 0) schedule()
    else for (const resolve of idle.splice(0)) resolve()
  }

  const alone = (job: Job) => {
    let failure: unknown
    const outcome = transact([job], (error) => {
      failure = error
    })
    if (outcome === 'failed') {
      const reason = explained(file, failure)
      if (reason instanceof WriterAway) refused = reason.message
      job.reject(reason)
    }
    return outcome
  }

  const transact = (
    group: readonly Job[],
    onError?: (error: unknown) => void,
  ): 'done' | 'failed' | 'locked' => {
    try {
      begin.run()
    } catch (error) {
      if (isBusy(error)) return 'locked'
      onError?.(error)
      return 'failed'
    }
    let results: unknown[]
    try {
      results = group.map((job) => job.work())
      commit.run()
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      onError?.(error)
      return 'failed'
    }
    // Who is told that it is on disk must find it there.
    const gone = lost()
    if (gone !== undefined) {
      for (const job of group) job.reject(new WriterAway(gone))
      return 'done'
    }
    // Outside the try: what is committed is never run again, whatever a listener does.
    group.forEach((job, i) => {
      job.resolve(results[i] as never)
    })
    afterCommit()
    return 'done'
  }

  /** The driver's own waiting would block the event loop, so a long lock is waited for outside of it. */
  const waitForLock = (group: Job[]) => {
    lockedSince ??= Date.now()
    if (Date.now() - lockedSince > lockedForTooLong) {
      lockedSince = undefined
      const error = new WriterAway(
        'the database is locked by another process; is a backup or a long write running?',
      )
      for (const job of group) job.reject(error)
      if (waiting.length > 0) schedule()
      else for (const resolve of idle.splice(0)) resolve()
      return
    }
    waiting = [...group, ...waiting]
    scheduled = true
    setTimeout(flush, 2 + Math.random() * 10)
  }

  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new WriterAway('the database is closed'))
        waiting.push({ work, resolve, reject })
        schedule()
      }),
    refused: () => refused,
    recovered: () => {
      refused = undefined
    },
    drain: () => {
      closed = true
      return waiting.length === 0 && !scheduled
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve))
    },
  }
}
