import type { ColumnType, Row, Value } from '../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { damaged } from './connection.ts'

/** Names come from code, not from people. They are quoted so that any name works. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const list = (names: readonly string[]): string => names.map(quoted).join(', ')

/** Placeholders of a statement, one for each value. */
export const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** The condition of a statement that finds the row of a key. */
export const isKeySql = (key: readonly string[]): string =>
  key.map((column) => `${quoted(column)} = ?`).join(' AND ')

export const tableOf = (view: string, generation: number): string => quoted(`${view}__${generation}`)

const sqlType: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  json: 'TEXT',
}

/** Its columns, as they are declared in a table. */
export const sqlColumns = ({ columns, key, ids = [] }: StoredShape): readonly string[] =>
  Object.entries(columns).map(
    ([name, type]) =>
      `${quoted(name)} ${ids.includes(name) ? 'INTEGER' : sqlType[type]}${key.includes(name) ? ' NOT NULL' : ''}`,
  )

/** `more`: columns that the store adds. */
export const tableSql = (shape: StoredShape, generation: number, more: readonly string[] = []): string => {
  checkShape(shape)
  const columns = [...more, ...sqlColumns(shape)].join(', ')
  const storage = shape.isUnordered ? 'STRICT' : 'STRICT, WITHOUT ROWID'
  return `CREATE TABLE ${tableOf(shape.name, generation)} (${columns}, PRIMARY KEY (${list(shape.key)})) ${storage}`
}

/** Each ends with the key, so that it gives rows in the order in which they are asked for. */
export const indexSql = (shape: StoredShape, generation: number): readonly string[] => {
  const table = tableOf(shape.name, generation)
  const sqlOf = (index: readonly string[], name: string, where = '') => {
    const key = shape.key.filter((column) => !index.includes(column))
    return `CREATE INDEX IF NOT EXISTS ${quoted(name)} ON ${table} (${list([...index, ...key])})${where}`
  }
  const all = (shape.indexes ?? []).map((index, i) => sqlOf(index, `${shape.name}__${generation}__${i}`))
  const sparse = (shape.sparse ?? []).map((index, i) =>
    sqlOf(
      index,
      `${shape.name}__${generation}__sparse${i}`,
      ` WHERE ${quoted(index.at(-1) ?? '')} IS NOT NULL`,
    ),
  )
  return [...all, ...sparse]
}

/** A shape that cannot be a table is a bug in a projection. */
const checkShape = (shape: StoredShape): void => {
  const invalid = (message: string) => new Error(`view ${shape.name}: ${message}`)
  if (shape.key.length === 0) throw invalid('has no key')
  const indexed = [shape.indexes, shape.sparse, shape.history?.by].flatMap((lists) => (lists ?? []).flat())
  for (const name of [...shape.key, ...indexed])
    if (!Object.hasOwn(shape.columns, name)) throw invalid(`key or index names the unknown column ${name}`)
  for (const name of shape.key)
    if (shape.columns[name] === 'json') throw invalid(`the key column ${name} cannot hold JSON`)
  for (const name of shape.ids ?? [])
    if (shape.columns[name] !== 'text') throw invalid(`the column of ids ${name} must hold text`)
}

/** Makes a row from SQLite's values, which are in the order of `columns`. */
export const createRowReader = (columns: readonly string[], shape: StoredShape) => {
  const json = columns.map((name) => shape.columns[name] === 'json')
  // To fill in a copy is faster than to add one column after the other.
  const empty: Row = Object.fromEntries(columns.map((name) => [name, null]))
  return (values: readonly Value[]): Row => {
    const row: Record<string, unknown> = { ...empty }
    for (let i = 0; i < columns.length; i++) {
      const value = values[i] as Value
      row[columns[i] as string] = json[i] && value !== null ? parsed(value as string) : value
    }
    return row
  }
}

/** Only JSON was written, so anything else is damage. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged((error as Error).message)
  }
}

/** The values of a checked row for SQLite, in the order of `shape.columns`, which is also the row's. */
export const createRowWriter = (shape: StoredShape) => {
  const json = Object.values(shape.columns).flatMap((type, i) => (type === 'json' ? [i] : []))
  return (row: Row): Value[] => {
    const values = Object.values(row) as Value[]
    for (const i of json) if (values[i] !== null) values[i] = JSON.stringify(values[i])
    return values
  }
}

/**
 * Checks a row and gives it every column, in the order of the shape. What is read back must be what was put, whether
 * it comes from memory or from the file, so nothing that SQLite would change (booleans, NaN, broken Unicode) gets in.
 */
export const createRowChecker = (shape: StoredShape) => {
  const columns = Object.entries(shape.columns).map(([name, type]) => ({
    name,
    type,
    isKey: shape.key.includes(name),
  }))

  const inOrder = (row: Row): Row => {
    const unknown = Object.keys(row).find((name) => !Object.hasOwn(shape.columns, name))
    if (unknown !== undefined)
      throw new TypeError(
        `view ${shape.name} has no column ${unknown}; it has ${Object.keys(shape.columns).join(', ')}`,
      )
    const ordered: Record<string, unknown> = {}
    for (const { name } of columns) ordered[name] = row[name] ?? null
    return ordered
  }

  const fail = ({ name, type, isKey }: (typeof columns)[number], value: unknown): never => {
    throw new TypeError(`view ${shape.name}, column ${name}: ${wanted(type, isKey)}, got ${show(value)}`)
  }

  /** A row in the order of the shape, as most are, needs no copy and no look-up by name. */
  const check = (row: Row): Row => {
    let i = 0
    for (const name in row) {
      const column = columns[i++]
      const value = row[name]
      if (name !== column?.name || value === undefined) return check(inOrder(row))
      if (value === null ? column.isKey : !holds(column.type, value)) fail(column, value)
    }
    return i === columns.length ? row : check(inOrder(row))
  }
  return check
}

export const holds = (type: ColumnType, value: unknown): boolean => {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value.isWellFormed()
    case 'integer':
      return Number.isSafeInteger(value)
    case 'real':
      return Number.isFinite(value)
    case 'json':
      return true
  }
}

const wanted = (type: ColumnType, isKey: boolean): string => {
  const what = {
    text: 'wants well-formed text',
    integer: 'wants a whole number (booleans are 0 and 1)',
    real: 'wants a finite number',
    json: 'wants JSON',
  }[type]
  return isKey ? `${what}, and never null in a key` : what
}

const show = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value)).slice(0, 80)
