import type { Row, Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { createRowReader, isKeySql, quoted, tableOf } from '../shape.ts'
import type { Statements } from '../statements.ts'
import { createIdReader } from './stored-ids.ts'
import { base, deletedTableOf, from, more, n, restColumns, to, versionTableOf } from './tables.ts'
import { type Links, linkColumns, oldestFrom, readLinks } from './version-links.ts'
import type { RowsAsOf } from './version-sql.ts'

/** A version of a row; `to` is null if it is still in force. */
export interface Version {
  readonly row: Row
  readonly from: number
  readonly to: number | null
}

/** Finds the version of a row that was in force at a position; the key as it is stored. */
export type VersionAt = (
  key: readonly Value[],
  at: Pick<RowsAsOf, 'position' | 'bound'>,
) => Version | undefined

export const createVersionReader = (
  statements: Statements,
  shape: StoredShape,
  generation: number,
  columns: readonly string[] = Object.keys(shape.columns),
): VersionAt => {
  const { name, key } = shape
  const versions = versionTableOf(name, generation)
  const linked = [from, ...linkColumns].join(', ')
  const isKey = isKeySql(key)
  const selected = columns.map((column) => `, ${quoted(column)}`).join('')
  const now = tableOf(name, generation)
  const linksNow = statements(`SELECT ${linked} FROM ${now} WHERE ${isKey}`)
  const rowOfNow = statements(`SELECT ${from}${selected} FROM ${now} WHERE ${isKey}`)
  const linksOfDeleted = statements(
    `SELECT ${linked} FROM ${deletedTableOf(name, generation)} WHERE ${isKey}`,
  )
  const linksOf = statements(`SELECT ${linkColumns.join(', ')} FROM ${versions} WHERE ${n} = ?`)
  const record = statements(
    `SELECT ${from}, ${to}, ${more}, ${base}${selected} FROM ${versions} WHERE ${n} = ?`,
  )
  const basedAt = 4
  const readRow = createRowReader(columns, shape)
  const named = createIdReader(statements, shape, generation, columns)
  const read = (values: readonly Value[]) => readRow(named(values))
  const later = createLaterReader(shape, columns, read)

  /** Returns the record that has the version of a moment; undefined if the row was not written before. */
  const recordAt = (links: Links, bound: number): number | undefined => {
    let found: number | undefined
    for (let next = oldestFrom(links, bound); next !== undefined; ) {
      found = next
      next = oldestFrom(readLinks(linksOf.get(next) ?? []), bound)
    }
    return found
  }

  return (key, { position, bound }) => {
    const isNow = linksNow.get(...key)
    const [begun, ...links] = isNow ?? linksOfDeleted.get(...key) ?? []
    if (begun === undefined) return undefined
    if (Number(begun) <= position) {
      const row = isNow && rowOfNow.get(...key)
      return row && { row: read(row.slice(1)), from: Number(begun), to: null }
    }
    const at = recordAt(readLinks(links), bound)
    const [first, ended, runs, base, ...own] = (at !== undefined && record.get(at)) || []
    if (ended === undefined) return undefined
    if (Number(ended) <= position) return later(String(runs), position, key)
    if (first === null || Number(first) > position) return undefined
    const based = (base && record.get(base)?.slice(basedAt)) || []
    const all = based.length === 0 ? own : own.map((value, i) => value ?? (based[i] as Value))
    return { row: read(all), from: Number(first), to: Number(ended) }
  }
}

/** Reads a version behind the first one of a record. */
const createLaterReader = (
  shape: StoredShape,
  columns: readonly string[],
  read: (values: readonly Value[]) => Row,
) => {
  const rest = restColumns(shape)
  const places = columns.map((column) => rest.indexOf(column))
  return (more: string, position: number, key: readonly Value[]): Version | undefined => {
    const versions = JSON.parse(more) as [from: number | null, to: number, ...values: Value[]][]
    const found = versions.find(([, to]) => to > position)
    const [from = null, to = null, ...values] = found ?? []
    if (from === null || from > position) return undefined
    const valueAt = (at: number, i: number) =>
      (at < 0 ? key[shape.key.indexOf(columns[i] as string)] : values[at]) as Value
    return { row: read(places.map(valueAt)), from, to }
  }
}
