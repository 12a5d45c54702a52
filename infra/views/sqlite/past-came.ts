import type { DatabaseSync } from 'node:sqlite'
import type { Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { cameTableOf, cameTableSql, end, keys, n, since } from './past-tables.ts'
import type { Statements } from './statements.ts'

/*
 * Which rows came, of a view that keeps its past. A row that was not there before has no version to be written: the position of the
 * event and the key are put into a list, for what differs between two moments.
 */

/** Of a list, which is read whole. */
const maxKeys = 256

/** Notes rows that came, while they are folded; positions do not fall. */
export const createCame = (db: DatabaseSync, shape: ViewShape, generation: number) => {
  // An older program made the generation without it: a row that came then has a version that says so.
  db.exec(cameTableSql(shape.name, generation))
  const insert = db.prepare(`INSERT INTO ${cameTableOf(shape.name, generation)} VALUES (?, ?, ?, ?)`)
  const stride = shape.key.length + 1
  let noted: Value[] = []
  return {
    note: (position: number, key: readonly Value[]): void => {
      noted.push(position, ...key)
    },
    /** To be called once a transaction. */
    flush: (): void => {
      for (let first = 0; first < noted.length; first += maxKeys * stride) {
        const list = noted.slice(first, first + maxKeys * stride)
        insert.run(list.at(-stride) as Value, first, list[0] as Value, JSON.stringify(list))
      }
      noted = []
    },
  }
}

/** Keys, as they are stored, of rows that came behind a position and up to another; undefined where they are more than `most`. */
export const keysCame = (
  statements: Statements,
  { name, key }: ViewShape,
  generation: number,
  [behind, until]: readonly [behind: number, until: number],
  most: number,
): readonly (readonly Value[])[] | undefined => {
  const isThere = statements('SELECT 1 FROM sqlite_schema WHERE name = ?')
  const table = cameTableOf(name, generation)
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
