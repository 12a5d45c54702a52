import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { type Row, type Value, ViewQueryError } from '../../../src/domain/kernel/view.ts'
import type { Generation, StoredShape } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import type { SqlQuery } from './query-sql.ts'
import type { Located, Registry } from './registry.ts'
import { createRowReader } from './shape.ts'
import { readingNumbers } from './too-large.ts'

const maxStatements = 200

export type Ask = ReturnType<typeof createAsk>

/** Reads rows of a view: of the given generation, or of the live one. Throws `ViewQueryError` for an unknown view. */
export const createAsk = ({ db, read, readOnce }: Connection, registry: Registry) => {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql)
    if (!statement) {
      if (statements.size >= maxStatements) statements.clear()
      statement = db.prepare(sql)
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement
  }

  const answer = (
    view: string,
    generation: Generation | undefined,
    toSql: (shape: StoredShape, id: number) => SqlQuery,
  ): readonly Row[] => {
    const { shape, id } = locate(registry, view, generation)
    const { sql, values, columns } = toSql(shape, id)
    const rows = readingNumbers(
      db,
      shape,
      id,
      () => prepared(sql).all(...(values as SQLInputValue[])) as unknown as Value[][],
    )
    return rows.map(createRowReader(columns, shape))
  }

  return (...of: Parameters<typeof answer>): readonly Row[] => {
    try {
      return readOnce(() => answer(...of))
    } catch (error) {
      // Another process has just put another generation in its place.
      if (!isMissingTable(error)) throw error
      return read(() => answer(...of))
    }
  }
}

const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && /^no such table/.test(error.message)

const locate = (registry: Registry, view: string, generation?: Generation): Located => {
  if (!generation) {
    const views = registry.liveViews()
    const found = views.get(view)
    if (found) return found
    throw unknownView(view, [...views.keys()])
  }
  return { shape: knownView(registry.shapes(generation.id), view), id: generation.id }
}

/** Throws `ViewQueryError`. */
export const knownView = (shapes: readonly StoredShape[], view: string): StoredShape => {
  const shape = shapes.find(({ name }) => name === view)
  if (shape) return shape
  throw unknownView(
    view,
    shapes.map(({ name }) => name),
  )
}

const unknownView = (view: string, known: readonly string[]) =>
  new ViewQueryError(
    known.length > 0
      ? `there is no view ${view}; there are ${known.join(', ')}`
      : `there is no view ${view} yet`,
  )
