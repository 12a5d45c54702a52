import type { ColumnType, Row, Value, ViewShape } from '../../../src/ports/view-store.ts'

/** Names come from code, not from people; quoted all the same, so that any name works. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const list = (names: readonly string[]): string => names.map(quoted).join(', ')

export const tableOf = (view: string, generation: number): string => quoted(`${view}__${generation}`)

const sqlType: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  json: 'TEXT',
}

export const tableSql = (shape: ViewShape, generation: number): string => {
  checkShape(shape)
  const columns = Object.entries(shape.columns).map(
    ([name, type]) => `${quoted(name)} ${sqlType[type]}${shape.key.includes(name) ? ' NOT NULL' : ''}`,
  )
  const table = tableOf(shape.name, generation)
  return `CREATE TABLE ${table} (${columns.join(', ')}, PRIMARY KEY (${list(shape.key)})) STRICT, WITHOUT ROWID`
}

export const indexSql = (shape: ViewShape, generation: number): readonly string[] =>
  (shape.indexes ?? []).map((index, i) => {
    const name = quoted(`${shape.name}__${generation}__${i}`)
    return `CREATE INDEX IF NOT EXISTS ${name} ON ${tableOf(shape.name, generation)} (${list(index)})`
  })

/** A shape that cannot be a table is a bug in a projection. */
const checkShape = (shape: ViewShape): void => {
  const fault = (message: string) => new Error(`view ${shape.name}: ${message}`)
  if (shape.key.length === 0) throw fault('has no key')
  for (const name of [...shape.key, ...(shape.indexes ?? []).flat()])
    if (!Object.hasOwn(shape.columns, name)) throw fault(`key or index names the unknown column ${name}`)
  for (const name of shape.key)
    if (shape.columns[name] === 'json') throw fault(`the key column ${name} cannot hold JSON`)
}

/** A row from SQLite's values, which stand in the order of `shape.columns`. */
export const rowReader = (columns: readonly string[], shape: ViewShape) => {
  const json = columns.map((name) => shape.columns[name] === 'json')
  return (values: readonly Value[]): Row => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) {
      const value = values[i] as Value
      row[columns[i] as string] = json[i] && value !== null ? JSON.parse(value as string) : value
    }
    return row
  }
}

/** The row's values for SQLite, in the order of `shape.columns`. */
export const rowWriter = (shape: ViewShape) => {
  const columns = Object.keys(shape.columns)
  const json = columns.map((name) => shape.columns[name] === 'json')
  return (row: Row): Value[] =>
    columns.map((name, i) => {
      const value = row[name] as Value
      return json[i] && value !== null ? JSON.stringify(value) : value
    })
}

/**
 * Checks a row and gives every column a value. What is read back must be what was put, whether it comes from memory or
 * from the file, so nothing that SQLite would bend (booleans, NaN, broken Unicode) gets in.
 */
export const rowChecker = (shape: ViewShape) => {
  const columns = Object.entries(shape.columns).map(([name, type]) => ({
    name,
    type,
    isKey: shape.key.includes(name),
  }))

  const complete = (row: Row): Row => {
    const unknown = Object.keys(row).find((name) => !Object.hasOwn(shape.columns, name))
    if (unknown !== undefined)
      throw new TypeError(
        `view ${shape.name} has no column ${unknown}; it has ${Object.keys(shape.columns).join(', ')}`,
      )
    return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))
  }

  return (row: Row): Row => {
    let known = 0
    for (const { name, type, isKey } of columns) {
      const value = row[name]
      if (value !== undefined) known++
      if (!(value === null || value === undefined ? !isKey : holds(type, value)))
        throw new TypeError(`view ${shape.name}, column ${name}: ${wanted(type, isKey)}, got ${show(value)}`)
    }
    let given = 0
    for (const _ in row) given++
    return given === known && known === columns.length ? row : complete(row)
  }
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
