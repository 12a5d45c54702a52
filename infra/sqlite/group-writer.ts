import type { DatabaseSync } from 'node:sqlite'
import type { SameFiles } from './same-files.ts'
import { createTransaction } from './transaction.ts'
import { explained, WriterAway } from './write-failures.ts'

/** Work that waits for a commit, and the promise of its result. */
export interface Job {
  readonly work: () => unknown
  /** How many writes it counts for. */
  readonly size: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

interface Written {
  /** Jobs that could not be begun, because another process is writing. All others are resolved or rejected. */
  readonly locked: readonly Job[]
  /** False where the lock kept all of them from beginning. */
  readonly hasBegun: boolean
}

interface GroupWriter {
  /** Runs all jobs in one transaction; where one throws, each in its own, so that its failure is never another's. */
  write(group: readonly Job[]): Written
  /** Why the machine could not write the last time that it could not, since `clearFailure` was called. */
  lastFailure(): string | undefined
  clearFailure(): void
}

export const createGroupWriter = (
  db: DatabaseSync,
  file: string,
  afterCommit: () => void,
  lost: SameFiles,
): GroupWriter => {
  const transact = createTransaction(db)
  let lastFailure: string | undefined

  const write = (group: readonly Job[]): Written => {
    const outcome = transact(() => group.map((job) => job.work()))
    switch (outcome.kind) {
      case 'locked':
        return { locked: group, hasBegun: false }
      case 'committed':
        resolveAll(group, outcome.result)
        return { locked: [], hasBegun: true }
      case 'failed':
        return { locked: group.length > 1 ? writeEach(group) : fail(group, outcome.error), hasBegun: true }
    }
  }

  const writeEach = (group: readonly Job[]): readonly Job[] => {
    const stuck = group.findIndex((job) => write([job]).locked.length > 0)
    return stuck < 0 ? [] : group.slice(stuck)
  }

  const fail = (group: readonly Job[], thrown: unknown): readonly Job[] => {
    const error = explained(file, thrown)
    if (error instanceof WriterAway) lastFailure = error.message
    for (const job of group) job.reject(error)
    return []
  }

  /** Runs outside the transaction: what is committed is never run again, whatever a listener does. */
  const resolveAll = (group: readonly Job[], results: readonly unknown[]): void => {
    // A result promises that the work is on disk, so the files must still be there.
    const reason = lost()
    if (reason !== undefined) {
      for (const job of group) job.reject(new WriterAway(reason))
      return
    }
    group.forEach((job, i) => {
      job.resolve(results[i] as never)
    })
    afterCommit()
  }

  return {
    write,
    lastFailure: () => lastFailure,
    clearFailure: () => {
      lastFailure = undefined
    },
  }
}
