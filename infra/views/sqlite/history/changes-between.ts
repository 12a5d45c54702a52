import type { Row, Value } from '../../../../src/domain/kernel/view.ts'
import type { ChangesPage, RowChange, RowChanges, StoredShape } from '../../../../src/ports/view-store.ts'
import { identify } from '../row-cache.ts'
import { list, marks, tableOf } from '../shape.ts'
import type { Statements } from '../statements.ts'
import { keysCreated } from './created-rows.ts'
import { comparePlaces } from './place.ts'
import { keyCoding } from './stored-ids.ts'
import { deletedTableOf, from, hasVersions, n, to, versionTableOf } from './tables.ts'
import { createVersionReader, type Version, type VersionAt } from './version-reader.ts'
import { type RowsAsOf, rowsAsOf } from './version-sql.ts'

/** Most events that are listed for a row. */
const maxEvents = 20
/** If more was written between two moments, a page is searched in the order of the key. */
const maxSorted = 20_000

/**
 * Returns the rows of a view that differ between `since` and the position of `asOf`, in the order of the key, ids as
 * numbers. Must be called in a read transaction.
 */
export const changesBetween = (
  statements: Statements,
  shape: StoredShape,
  asOf: RowsAsOf,
  since: number,
  page: ChangesPage,
): RowChanges => {
  const { generation } = asOf
  const find = createVersionReader(statements, shape, generation)
  const then = rowsAsOf(statements, shape, generation, since)
  const coding = keyCoding(statements, shape, generation)
  const after = page.after && coding.stored(page.after)
  const keys = keysWritten(statements, shape, [then, asOf], find, {
    limit: page.limit,
    ...(after && { after }),
  })
  const changes = keys.slice(0, page.limit).flatMap((key): RowChange[] => {
    const at: At = (position) => find(key, rowsAsOf(statements, shape, generation, position))
    const before = find(key, then)
    const now = find(key, asOf)
    if (!before && !now) return []
    if (before && now && isSame(before.row, now.row)) return []
    const positions = now ? eventsBack(at, now, since) : before ? eventsOn(at, before, asOf.position) : []
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

/**
 * Returns the keys of rows that were written behind the first moment and up to the second, one more than a page has;
 * among them some that were not.
 */
const keysWritten = (
  statements: Statements,
  shape: StoredShape,
  [then, { generation, position, bound, runsUntil }]: readonly [RowsAsOf, RowsAsOf],
  find: VersionAt,
  { limit, after = [] }: ChangesPage,
): readonly (readonly Value[])[] => {
  const { name, key } = shape
  const behind = after.length > 0 ? ` AND (${list(key)}) > (${marks(after)})` : ''
  const ordered = `ORDER BY ${list(key)}`
  const left = maxSorted - (bound - then.bound)
  const created =
    hasVersions(shape) &&
    left > 0 &&
    keysCreated(statements, shape, generation, [then.position, position], left)
  if (created) {
    const ended = statements(
      `SELECT DISTINCT ${list(key)} FROM ${versionTableOf(name, generation)}
       WHERE ${n} BETWEEN ? AND ? AND (${n} < ? OR ${to} <= ?)${behind} ${ordered} LIMIT ?`,
    ).all(then.bound, Math.max(bound - 1, runsUntil), bound, position, ...after, limit + 1)
    const further = created.filter((key) => after.length === 0 || comparePlaces(key, after) > 0)
    const all = new Map([...ended, ...further].map((key) => [identify(key), key]))
    return [...all.values()].sort(comparePlaces).slice(0, limit + 1)
  }
  const writtenSince = (table: string) => `SELECT ${list(key)} FROM ${table} WHERE ${from} > ?${behind}`
  const each = [then.position, ...after]
  const found: (readonly Value[])[] = []
  for (const key of statements(
    `${writtenSince(tableOf(name, generation))} UNION ALL ${writtenSince(deletedTableOf(name, generation))} ${ordered}`,
  ).iterate(...each, ...each)) {
    if (find(key, then)?.from === find(key, { position, bound })?.from) continue
    found.push(key)
    if (found.length > limit) break
  }
  return found
}

const isSame = (one: Row, other: Row): boolean => JSON.stringify(one) === JSON.stringify(other)

type At = (position: number) => Version | undefined

/** Returns the events that wrote a row up to the version in force: the latest ones, in their order. */
const eventsBack = (at: At, now: Version, since: number): number[] => {
  const positions: number[] = []
  let version: Version | undefined = now
  while (version && version.from > since && positions.length < maxEvents) {
    positions.unshift(version.from)
    version = at(version.from - 1)
  }
  return positions
}

/** Returns the events that wrote a row until it was deleted: the first ones. */
const eventsOn = (at: At, before: Version, until: number): number[] => {
  const positions: number[] = []
  let version: Version | undefined = before
  while (version && version.to !== null && version.to <= until && positions.length < maxEvents) {
    positions.push(version.to)
    version = at(version.to)
  }
  return positions
}
