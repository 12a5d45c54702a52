import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { from } from './history/tables.ts'
import { type Links, linkColumns, linkValues } from './history/version-links.ts'
import { isKeySql, quoted, tableOf } from './shape.ts'

/** Sets of columns that have a statement of their own: mostly the same few change together. */
const maxStatements = 32
/** A set of so many columns is a number that is exact. */
const maxColumns = 52

/**
 * Writes the columns of a stored row that changed, of a view that keeps history: binding all of a wide row costs twice as
 * much. Returns false if the whole row must be written. Rows are checked, and in the order of the shape.
 */
export const createRowUpdates = (db: DatabaseSync, shape: StoredShape, generation: number) => {
  const columns = Object.keys(shape.columns)
  const json = columns.map((name) => shape.columns[name] === 'json')
  const keys = shape.key.map((name) => columns.indexOf(name))
  const places = columns.map((_, i) => 2 ** i)
  const isKey = isKeySql(shape.key)
  const statements = new Map<number, StatementSync>()

  const prepare = (changed: readonly number[]): StatementSync => {
    const names = [...changed.map((i) => quoted(columns[i] as string)), from, ...linkColumns]
    const values = names.map((name) => `${name} = ?`).join(', ')
    return db.prepare(`UPDATE ${tableOf(shape.name, generation)} SET ${values} WHERE ${isKey}`)
  }

  return (row: Row, before: Row, position: number, links?: Links): boolean => {
    const [now, then] = [Object.values(row), Object.values(before)]
    const values: Value[] = []
    let set = 0
    for (let i = 0; i < now.length; i++) {
      const value = now[i] as Value
      if (value === then[i]) continue
      set += places[i] as number
      values.push(json[i] && value !== null ? JSON.stringify(value) : value)
    }
    let statement = statements.get(set)
    if (!statement) {
      if (statements.size >= maxStatements || now.length > maxColumns) return false
      statement = prepare(now.flatMap((value, i) => (value === then[i] ? [] : [i])))
      statements.set(set, statement)
    }
    values.push(position, ...linkValues(links))
    for (const i of keys) values.push(now[i] as Value)
    return Number(statement.run(...values).changes) === 1
  }
}
