import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Streams of what every build of Fonds keeps. */
const subjects = {
  fixity: 'items',
  ingestObject: 'objects',
  indexing: 'archive files',
  work: 'works',
  merged: 'documents',
  episode: 'episodes',
}

/** What the log of a home has of each subject, counted without the code of either side. */
export const countsIn = (home: string): string => {
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  const found = db.prepare('SELECT category, count(*) AS n FROM streams GROUP BY category').all()
  db.close()
  const counts = new Map(found.map(({ category, n }) => [category, n]))
  return Object.entries(subjects)
    .map(([category, name]) => `${counts.get(category) ?? 0} ${name}`)
    .join(', ')
}

/** Rows of a view, whichever generation's they are: the tables of their past have longer names. */
export const rowsIn = (home: string, view: string): number => {
  const db = new DatabaseSync(join(home, 'views.db'), { readOnly: true })
  const named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? ORDER BY length(name)"
  const table = db.prepare(named).get(`${view}__*`)?.name
  const rows = table === undefined ? 0 : Number(db.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n)
  db.close()
  return rows
}
