import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import type { Statements } from '../statements.ts'
import { createdTableOf, createdTableSql, end, keys, n, since } from './tables.ts'

/*
 * Created rows of a view that keeps history. A row that did not exist before has no version to write: the position of
 * the event and the key are stored in a list, for the differences between two moments.
 */

/** Most keys of a list, which is read whole. */
const maxKeys = 256

/** Records created rows while they are folded; positions do not fall. */
export const createCreatedList = (db: DatabaseSync, shape: StoredShape, generation: number) => {
  // A generation of an older program has no such table: rows that were created then have a version that says so.
  db.exec(createdTableSql(shape.name, generation))
  const insert = db.prepare(`INSERT INTO ${createdTableOf(shape.name, generation)} VALUES (?, ?, ?, ?)`)
  const stride = shape.key.length + 1
  let created: Value[] = []
  return {
    add: (position: number, key: readonly Value[]): void => {
      created.push(position, ...key)
    },
    /** Must be called once per transaction. */
    flush: (): void => {
      for (let first = 0; first < created.length; first += maxKeys * stride) {
        const list = created.slice(first, first + maxKeys * stride)
        insert.run(list.at(-stride) as Value, first, list[0] as Value, JSON.stringify(list))
      }
      created = []
    },
  }
}

/**
 * Returns the stored keys of rows that were created behind a position and up to another; undefined if there are more
 * than `most`.
 */
export const keysCreated = (
  statements: Statements,
  { name, key }: StoredShape,
  generation: number,
  [behind, until]: readonly [behind: number, until: number],
  most: number,
): readonly (readonly Value[])[] | undefined => {
  const isThere = statements('SELECT 1 FROM sqlite_schema WHERE name = ?')
  const table = createdTableOf(name, generation)
  if (!isThere.get(table.slice(1, -1))) return []
  const found: Value[][] = []
  const lists = statements(`SELECT ${since}, ${keys} FROM ${table} WHERE ${end} > ? ORDER BY ${end}, ${n}`)
  for (const [first, text] of lists.iterate(behind)) {
    if (Number(first) > until) break
    const list = JSON.parse(String(text)) as Value[]
    for (let i = 0; i < list.length; i += key.length + 1) {
      const position = Number(list[i])
      if (position > behind && position <= until) found.push(list.slice(i + 1, i + 1 + key.length))
    }
    if (found.length > most) return undefined
  }
  return found
}
