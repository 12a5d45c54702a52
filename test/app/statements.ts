import { StatementSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

const calls = ['run', 'get', 'all', 'iterate'] as const

export interface Counted {
  /** Transactions of the log's file, each with an fsync: of messages, events and offsets. */
  logCommits: number
  /** Transactions of the views' file. */
  viewTransactions: number
  /** Rows of views that were asked for. */
  viewQuestions: number
  /** Looks for one stream. */
  streamLooks: number
  /** Readings of all topics' ends, after a commit that changed one. */
  topicLooks: number
}

/** Counts what SQLite is asked in this process, until the test is over. Transactions are synchronous, so statements of two never mix. */
export const countStatements = (): { readonly since: () => Counted } => {
  let counted = nothing()
  let transaction: 'reads' | 'logCommits' | 'viewTransactions' = 'reads'
  const note = (sql: string): void => {
    if (sql === 'BEGIN') transaction = 'reads'
    else if (sql === 'BEGIN IMMEDIATE') transaction = 'logCommits'
    else if (sql.startsWith('UPDATE generation')) transaction = 'viewTransactions'
    else if (sql === 'COMMIT' && transaction !== 'reads') counted[transaction]++
    else if (/^SELECT .* FROM "[\w-]+__\d+"/s.test(sql)) counted.viewQuestions++
    else if (/FROM streams WHERE name = \?/.test(sql)) counted.streamLooks++
    else if (/^SELECT id, .* FROM broker_partitions$/.test(sql)) counted.topicLooks++
  }
  for (const call of calls) {
    const original = StatementSync.prototype[call]
    const counting = function (this: StatementSync, ...parameters: never[]) {
      note(this.sourceSQL)
      return Reflect.apply(original, this, parameters)
    }
    Object.assign(StatementSync.prototype, { [call]: counting })
    onTestFinished(() => void Object.assign(StatementSync.prototype, { [call]: original }))
  }
  return {
    since: () => {
      const before = counted
      counted = nothing()
      return before
    },
  }
}

const nothing = (): Counted => ({
  logCommits: 0,
  viewTransactions: 0,
  viewQuestions: 0,
  streamLooks: 0,
  topicLooks: 0,
})
