import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Value, ViewShape } from '../../../src/domain/kernel/view.ts'
import { query } from '../../sqlite/query.ts'
import { holdIds, idTableOf } from './ids.ts'
import { list, tableOf } from './shape.ts'

/** Attaches another file of views as `other`, to read it. `isFixed`: nobody writes it. */
export const attachOther = (db: DatabaseSync, file: string, isFixed: boolean): void => {
  db.prepare('ATTACH ? AS other').run(`${pathToFileURL(file).href}?mode=ro${isFixed ? '&immutable=1' : ''}`)
}

export const detachOther = (db: DatabaseSync): void => db.exec('DETACH other')

/** Most rows of a step: some 20 ms. */
const rowsAtOnce = 10_000

/** Copies the rows of a generation of the attached file into an empty one, step by step; of what its views keep of their past nothing. */
export function* copyRows(
  db: DatabaseSync,
  shapes: readonly ViewShape[],
  from: number,
  to: number,
): Generator<void, void> {
  if (holdIds(shapes))
    yield* copyTable(db, idTableOf(from), idTableOf(to), ['__number', '__id'], ['__number'])
  for (const { name, columns, key, isUnordered } of shapes) {
    const own = Object.keys(columns)
    const [all, place] = isUnordered ? [['rowid', ...own], ['rowid']] : [own, key]
    yield* copyTable(db, tableOf(name, from), tableOf(name, to), all, place)
  }
}

/** `place`: the columns in whose order rows lie in the file. */
function* copyTable(
  db: DatabaseSync,
  from: string,
  to: string,
  columns: readonly string[],
  place: readonly string[],
): Generator<void, void> {
  const copying = (where: string) =>
    db.prepare(
      `INSERT INTO main.${to} (${list(columns)}) SELECT ${list(columns)} FROM other.${from} ${where} ORDER BY ${list(place)} LIMIT ${rowsAtOnce}`,
    )
  const descending = place.map((column) => `${list([column])} DESC`).join(', ')
  const last = query<Value[]>(db, `SELECT ${list(place)} FROM main.${to} ORDER BY ${descending} LIMIT 1`)
  const next = copying(`WHERE (${list(place)}) > (${place.map(() => '?').join(', ')})`)
  for (
    let copied = copying('').run();
    copied.changes === rowsAtOnce;
    copied = next.run(...(last.get() ?? []))
  )
    yield
}
