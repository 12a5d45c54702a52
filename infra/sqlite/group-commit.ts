import type { DatabaseSync } from 'node:sqlite'
import type { Unavailable } from '../../src/ports/unavailable.ts'
import type { SameFiles } from './same-files.ts'
import { createTransaction } from './transaction.ts'
import { explained, WriterAway } from './write-failures.ts'

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
  /** Why the machine refused the last work that it refused, since `recovered` was called. */
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
const maxGroup = 512
const maxLockedMillis = 15_000

export const createGroupCommit = (
  db: DatabaseSync,
  file: string,
  afterCommit: () => void,
  lost: SameFiles = () => undefined,
): GroupCommit => {
  const transact = createTransaction(db)
  let waiting: Job[] = []
  let scheduled = false
  let closed = false
  let lockedSince: number | undefined
  let refused: string | undefined
  const idle: (() => void)[] = []

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  const flush = () => {
    scheduled = false
    const group = waiting.length <= maxGroup ? waiting : waiting.slice(0, maxGroup)
    waiting = group === waiting ? [] : waiting.slice(maxGroup)
    const locked = run(group)
    if (locked.length > 0) return waitForLock(locked)
    lockedSince = undefined
    goOn()
  }

  const goOn = () => {
    if (waiting.length > 0) schedule()
    else for (const resolve of idle.splice(0)) resolve()
  }

  /** The jobs that could not be begun, because another process is writing. */
  const run = (group: readonly Job[]): readonly Job[] => {
    const outcome = transact(() => group.map((job) => job.work()))
    if (outcome.kind === 'locked') return group
    if (outcome.kind === 'committed') {
      tell(group, outcome.result)
      return []
    }
    lockedSince = undefined
    if (group.length > 1) {
      const stuck = group.findIndex((job) => run([job]).length > 0)
      return stuck < 0 ? [] : group.slice(stuck)
    }
    const error = explained(file, outcome.error)
    if (error instanceof WriterAway) refused = error.message
    group[0]?.reject(error)
    return []
  }

  /** Runs outside the transaction: what is committed is never run again, whatever a listener does. */
  const tell = (group: readonly Job[], results: readonly unknown[]): void => {
    // Who is told that it is on disk must find it there.
    const gone = lost()
    if (gone !== undefined) {
      for (const job of group) job.reject(new WriterAway(gone))
      return
    }
    group.forEach((job, i) => {
      job.resolve(results[i] as never)
    })
    afterCommit()
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
