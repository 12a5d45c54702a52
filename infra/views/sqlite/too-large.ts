import type { DatabaseSync } from 'node:sqlite'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { StoredShape } from '../../../src/ports/view-store.ts'
import { query } from '../../sqlite/query.ts'
import { list, quoted, tableOf } from './shape.ts'
import { columnSql } from './source.ts'

/*
 * Whole numbers from 2^53 on are read by no JavaScript program as they are. No event makes one, so that another program has written
 * it: the file is left as it is, for it is evidence.
 */

/**
 * The error for a number that is too large: an `UnavailableError` with view, row and column. Any other error stays as it is.
 */
export const namingNumber = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  error: unknown,
): unknown => (isTooLarge(error) ? tooLarge(db, shape, generation, error) : error)

/** Reads rows of a view, and names a number in them that is too large. */
export const readingNumbers = <A>(
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  read: () => A,
): A => {
  try {
    return read()
  } catch (error) {
    throw namingNumber(db, shape, generation, error)
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError &&
  (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE' &&
  /too large to be represented/.test(error.message)

const tooLarge = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  cause: unknown,
): UnavailableError => {
  const { name, columns, key } = shape
  const texts = key.map((column) => `CAST(${columnSql(shape, generation)(column)} AS TEXT)`).join(', ')
  for (const [column, type] of Object.entries(columns)) {
    if (type !== 'integer') continue
    const row = query<string[]>(
      db,
      `SELECT CAST(${quoted(column)} AS TEXT), ${texts} FROM ${tableOf(name, generation)}
       WHERE abs(max(${quoted(column)}, -9223372036854775807)) > ${Number.MAX_SAFE_INTEGER} ORDER BY ${list(key)} LIMIT 1`,
    ).get()
    if (!row) continue
    const [value, ...of] = row
    return written(`row ${of.join(', ')} of ${name} has the number ${value} in its column ${column}`, cause)
  }
  return written(`an earlier version of a row of ${name} has a number`, cause)
}

const written = (what: string, cause: unknown): UnavailableError =>
  new UnavailableError(
    `${what}, and none from 2^53 on follows from an event: another program wrote it. Keep the file of the views, and make the rows again of the events: fonds rebuild --all`,
    { cause },
  )
