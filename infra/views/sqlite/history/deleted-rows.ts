import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'
import { isKeySql, marks, quoted } from '../shape.ts'
import { deletedTableOf, from } from './tables.ts'
import { type Links, linkColumns, linkValues, readLinks } from './version-links.ts'

/** The links to earlier versions of deleted rows, while they are folded. */
export const createDeletedRows = (
  db: DatabaseSync,
  { name, key, isWrittenOnce }: StoredShape,
  generation: number,
) => {
  const table = deletedTableOf(name, generation)
  const isKey = isKeySql(key)
  const kept = [...key.map(quoted), from, ...linkColumns]
  const select = query<[from: number, ...links: Value[]]>(
    db,
    `SELECT ${[from, ...linkColumns].join(', ')} FROM ${table} WHERE ${isKey}`,
  )
  const replace = db.prepare(`INSERT OR REPLACE INTO ${table} (${kept.join(', ')}) VALUES (${marks(kept)})`)
  const drop = db.prepare(`DELETE FROM ${table} WHERE ${isKey}`)
  let isEmpty = isWrittenOnce || query(db, `SELECT 1 FROM ${table} LIMIT 1`).get() === undefined
  return {
    find: (key: readonly Value[]) => {
      const [from, ...links] = isEmpty ? [] : (select.get(...(key as SQLInputValue[])) ?? [])
      return from === undefined ? undefined : { from, links: readLinks(links) }
    },
    put: (key: readonly Value[], from: number, links: Links | undefined): void => {
      isEmpty = false
      replace.run(...key, from, ...linkValues(links))
    },
    remove: (key: readonly Value[]): void => {
      drop.run(...key)
    },
  }
}
