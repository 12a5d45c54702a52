import type { Row, Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import type { ChangesPage, RowChange, RowChanges } from '../../../src/ports/view-store.ts'
import { keyCoding } from './past-ids.ts'
import { versionFinder } from './past-rows.ts'
import { type PastRows, pastRowSql } from './past-sql.ts'
import { pastKeyIndexOf, pastTableOf, pastTimeIndexOf, to } from './past-tables.ts'
import { createRowReader, list } from './shape.ts'
import type { Statements } from './statements.ts'

/** Most events that are named of a row. */
const maxEvents = 20
/** Where more was written between two moments, a page is looked for in the order of the key. */
const maxSorted = 20_000

/** A version of a row; `to` is null where it is in force still. */
interface Version {
  readonly row: Row
  readonly from: number
  readonly to: number | null
}

/**
 * The rows of a view that were not the same at `since` and at the position of `past`, in the order of the key, ids by their numbers. To be called in a
 * read transaction.
 */
export const changesBetween = (
  statements: Statements,
  shape: ViewShape,
  past: PastRows,
  since: number,
  page: ChangesPage,
): RowChanges => {
  const coding = keyCoding(statements, shape, past.generation)
  const after = page.after && coding.stored(page.after)
  const keys = keysWritten(statements, shape, past, since, { limit: page.limit, ...(after && { after }) })
  const versionAt = createVersions(statements, shape, past)
  const changes = keys.slice(0, page.limit).flatMap((key): RowChange[] => {
    const before = versionAt(key, since)
    const now = versionAt(key, past.position)
    if (!before && !now) return []
    if (before && now && isSame(before.row, now.row)) return []
    const positions = now
      ? eventsBack(versionAt, key, now, since)
      : before
        ? eventsOn(versionAt, key, before, past.position)
        : []
    return [
      {
        key: Object.fromEntries(shape.key.map((name) => [name, (before ?? now)?.row[name]])),
        before: before?.row,
        after: now?.row,
        positions: positions.map(BigInt),
      },
    ]
  })
  const last = keys.length > page.limit ? keys[page.limit - 1] : undefined
  return { changes, next: last && coding.named(last) }
}

/** Of rows that were written behind `since` and up to the position of `past`; one more than a page has. */
const keysWritten = (
  statements: Statements,
  { name, key }: ViewShape,
  { generation, position }: PastRows,
  since: number,
  { limit, after = [] }: ChangesPage,
): readonly (readonly Value[])[] => {
  const table = pastTableOf(name, generation)
  const between = `${to} > ? AND ${to} <= ?`
  const byTime = pastTimeIndexOf(name, generation)
  const written = statements(
    `SELECT COUNT(*) FROM (SELECT 1 FROM ${table} INDEXED BY ${byTime} WHERE ${between} LIMIT ?)`,
  ).get(since, position, maxSorted)
  const index = Number(written?.[0]) < maxSorted ? byTime : pastKeyIndexOf(name, generation)
  const behind = after.length > 0 ? ` AND (${list(key)}) > (${after.map(() => '?').join(', ')})` : ''
  return statements(
    `SELECT DISTINCT ${list(key)} FROM ${table} INDEXED BY ${index} WHERE ${between}${behind} ORDER BY ${list(key)} LIMIT ?`,
  ).all(since, position, ...after, limit + 1)
}

const isSame = (one: Row, other: Row): boolean => JSON.stringify(one) === JSON.stringify(other)

type VersionAt = (key: readonly Value[], position: number) => Version | undefined

/** The events that wrote a row up to the version that is in force, the latest ones, in their order. */
const eventsBack = (versionAt: VersionAt, key: readonly Value[], now: Version, since: number): number[] => {
  const positions: number[] = []
  let version: Version | undefined = now
  while (version && version.from > since && positions.length < maxEvents) {
    positions.unshift(version.from)
    version = versionAt(key, version.from - 1)
  }
  return positions
}

/** The events that wrote a row until it was deleted, the first ones. */
const eventsOn = (versionAt: VersionAt, key: readonly Value[], before: Version, until: number): number[] => {
  const positions: number[] = []
  let version: Version | undefined = before
  while (version && version.to !== null && version.to <= until && positions.length < maxEvents) {
    positions.push(version.to)
    version = versionAt(key, version.to)
  }
  return positions
}

/** The version of a row that was in force at a position. */
const createVersions = (statements: Statements, shape: ViewShape, { generation }: PastRows): VersionAt => {
  const columns = Object.keys(shape.columns)
  const find = versionFinder(statements, pastRowSql(shape, generation, columns))
  const read = createRowReader(columns, shape)
  return (key, position) => {
    const found = find(position, ...key)
    if (!found) return undefined
    const [begun, end] = found.slice(columns.length)
    return { row: read(found), from: Number(begun), to: end === null ? null : Number(end) }
  }
}
