import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListOptions, ListPage } from '../../../s3/list.ts'
import type { ListedObject } from '../../../s3/objects.ts'
import { resultCode, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR } from '../../../sqlite/errors.ts'
import { InventoryError } from './error.ts'

/** Objects in byte order of their keys, on disk. Adding and sorting throw `InventoryError` where that is full. */
export interface SortedObjects {
  add(object: ListedObject): void
  /** Sorts them: the last call after `add`. Of a key that came twice the newer is kept. Blocks. */
  sort(): void
  /** Gives pages as `S3Bucket.list` does. The delimiter can be `/` alone. */
  list(options?: ListOptions): AsyncGenerator<ListPage>
  close(): void
}

interface Row {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly modified: number
  readonly class: string
}

const columns = 'key, size, etag, modified, class'

/**
 * SQLite keeps them in a file without a name, which ends with the process, in the folder for temporary files. Memory
 * does not grow with their number; the disk needs about three times what the rows take.
 */
export const createSortedObjects = ({ maxPages }: { readonly maxPages?: number } = {}): SortedObjects => {
  const db = new DatabaseSync('')
  db.exec(
    `pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -65536;
     create table found (key text, size integer, etag text, modified integer, class text);
     create table object (key text primary key, size integer, etag text, modified integer, class text) without rowid;
     begin`,
  )
  if (maxPages !== undefined) db.exec(`pragma max_page_count = ${maxPages}`)
  const insert = db.prepare(`insert into found (${columns}) values (?, ?, ?, ?, ?)`)
  const next = db.prepare(`select ${columns} from object where key >= ? order by key limit ${pageSize + 1}`)
  return {
    add: ({ key, size, etag, modifiedAt, storageClass = '' }) =>
      writing(() => void insert.run(key, size, etag, Date.parse(modifiedAt), storageClass)),
    sort: () =>
      writing(() =>
        db.exec(
          `insert or ignore into object select ${columns} from found order by key, modified desc; drop table found; commit`,
        ),
      ),
    list: (options) => list((from) => next.all(from) as unknown as readonly Row[], options),
    close: () => db.close(),
  }
}

const writing = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!noRoom.has(resultCode(error))) throw error
    throw new InventoryError(
      `the inventory cannot be sorted: ${(error as Error).message}; name a folder with more room for temporary files in TMPDIR`,
    )
  }
}

const noRoom = new Set([SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR])

const pageSize = 1000

/** `rowsFrom` gives the first rows at a key and behind it, one more than a page. */
async function* list(
  rowsFrom: (key: string) => readonly Row[],
  { prefix = '', delimiter, startAfter, signal }: ListOptions = {},
): AsyncGenerator<ListPage> {
  let from = startAfter !== undefined && startAfter > prefix ? startAfter : prefix
  let isPast = startAfter !== undefined && from === startAfter
  for (;;) {
    signal?.throwIfAborted()
    const rows = rowsFrom(from)
    const objects: ListedObject[] = []
    const prefixes: string[] = []
    let last: Row | undefined
    for (const row of rows) {
      if (isPast && row.key === from) continue
      if (!row.key.startsWith(prefix)) return yield { objects, prefixes }
      last = row
      const end = delimiter === undefined ? -1 : row.key.indexOf(delimiter, prefix.length)
      if (end < 0) objects.push(objectOf(row))
      else if (prefixes.at(-1) !== row.key.slice(0, end + 1)) prefixes.push(row.key.slice(0, end + 1))
    }
    yield { objects, prefixes }
    if (rows.length <= pageSize || !last) return
    const folder = prefixes.at(-1)
    // The rest of a folder is passed over.
    isPast = folder === undefined || !last.key.startsWith(folder)
    from = isPast || folder === undefined ? last.key : `${folder.slice(0, -1)}${behindSlash}`
    await nextTurn()
  }
}

const behindSlash = '0'

const objectOf = (row: Row): ListedObject => ({
  key: row.key,
  size: row.size,
  etag: row.etag,
  modifiedAt: new Date(row.modified).toISOString(),
  ...(row.class && { storageClass: row.class }),
})
