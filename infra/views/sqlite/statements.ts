import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '../../../src/domain/kernel/view.ts'
import { type Query, query } from '../../sqlite/query.ts'

const maxStatements = 200

/** Statements are prepared once, by their text. */
export type Statements = (sql: string) => Query<Value[]>

export const createStatements = (db: DatabaseSync): Statements => {
  const prepared = new Map<string, Query<Value[]>>()
  return (sql) => {
    const before = prepared.get(sql)
    if (before) return before
    if (prepared.size >= maxStatements) prepared.clear()
    const statement = query<Value[]>(db, sql)
    prepared.set(sql, statement)
    return statement
  }
}
