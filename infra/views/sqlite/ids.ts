import type { DatabaseSync } from 'node:sqlite'
import type { Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { createRowWriter, quoted } from './shape.ts'

/*
 * Rows hold ids as numbers (`StoredShape.ids`). One table a generation says which id a number stands for: what rows and indexes
 * hold grows in the order in which ids come, and only this table's own index is written at places that come in no order.
 */

/** Numbers of a generation's ids while it is folded into. */
export interface Ids {
  /** Undefined for an id that no row ever held. */
  find(id: string): number | undefined
  /** The next number, where it has none. */
  numberOf(id: string): number
}

/** No view has a name like it: their tables have two underscores in theirs. */
export const idTableOf = (generation: number): string => quoted(`ids-${generation}`)

/** No column of a view begins with two underscores: in a join these need no name of their table. */
export const idTableSql = (generation: number): string =>
  `CREATE TABLE ${idTableOf(generation)} (__number INTEGER PRIMARY KEY, __id TEXT NOT NULL UNIQUE) STRICT`

export const holdIds = (shapes: readonly StoredShape[]): boolean =>
  shapes.some(({ ids = [] }) => ids.length > 0)

/** Most ids in memory are twice as many. */
const maxRecent = 50_000
const none = 0

/** To be thrown away where the transaction fails that gave a number. */
export const createIds = (db: DatabaseSync, generation: number): Ids => {
  const table = idTableOf(generation)
  const select = db.prepare(`SELECT __number AS number FROM ${table} WHERE __id = ?`)
  const insert = db.prepare(`INSERT INTO ${table} (__number, __id) VALUES (?, ?)`)
  let last = Number(db.prepare(`SELECT MAX(__number) AS number FROM ${table}`).get()?.number ?? none)
  // Ids that are used move to the recent ones; the others go when those are many.
  let recent = new Map<string, number>()
  let older = new Map<string, number>()

  const remember = (id: string, number: number): number => {
    if (recent.size >= maxRecent) {
      older = recent
      recent = new Map()
    }
    recent.set(id, number)
    return number
  }
  const find = (id: string): number =>
    recent.get(id) ?? remember(id, older.get(id) ?? Number(select.get(id)?.number ?? none))

  return {
    find: (id) => find(id) || undefined,
    numberOf: (id) => {
      const known = find(id)
      if (known !== none) return known
      insert.run(++last, id)
      return remember(id, last)
    },
  }
}

/** Rows and keys of a view as its tables hold them: of an id its number. */
export const createStored = (shape: StoredShape, ids?: Ids) => {
  const isId = (name: string) => shape.ids?.includes(name) ?? false
  const keyIds = shape.key.flatMap((name, i) => (isId(name) ? [i] : []))
  const rowIds = Object.keys(shape.columns).flatMap((name, i) => (isId(name) ? [i] : []))
  const writeRow = createRowWriter(shape)

  /** Gives each id a number, where it has none. */
  const number = (values: Value[], places: readonly number[]): Value[] => {
    if (ids) for (const i of places) if (values[i] !== null) values[i] = ids.numberOf(values[i] as string)
    return values
  }

  return {
    /** The values of a checked row, in the order of its columns. */
    row: (row: Row): Value[] => number(writeRow(row), rowIds),
    key: (key: readonly Value[]): readonly Value[] => (keyIds.length > 0 ? number([...key], keyIds) : key),
    /** Undefined where no row has one of its ids. */
    knownKey: (key: readonly Value[]): readonly Value[] | undefined => {
      if (!ids || keyIds.length === 0) return key
      const stored = [...key]
      for (const i of keyIds) {
        const number = ids.find(stored[i] as string)
        if (number === undefined) return undefined
        stored[i] = number
      }
      return stored
    },
  }
}
