import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from '../../sqlite/errors.ts'
import { query } from '../../sqlite/query.ts'

/*
 * SQLite reads past much damage silently: a page that lists fewer cells gives fewer rows. So before the whole log is read,
 * its pages are checked and the events of each stream are counted. From the page cache that takes about a second a gigabyte,
 * a tenth of the time to read it. A changed text that is still JSON is not found.
 */

type Held = [
  name: string | null,
  revision: number,
  maxCount: number | null,
  truncatedBefore: number,
  hasMetadata: number,
  held: number,
  first: number | null,
  last: number | null,
]

/**
 * Streams that hold other revisions than those from 0 to their last. The table itself is counted: a damaged index may
 * differ. In two parts, because SQLite would run a full join by comparing each stream with each.
 */
const uneven = `
  WITH e AS MATERIALIZED (
    SELECT stream_id, count(*) AS held, min(revision) AS first, max(revision) AS last
    FROM events NOT INDEXED GROUP BY stream_id
  )
  SELECT s.name, s.revision, s.max_count, s.truncated_before, EXISTS (SELECT 1 FROM streams m WHERE m.name = '$$' || s.name),
    e.held, e.first, e.last
  FROM e LEFT JOIN streams s ON s.id = e.stream_id
  WHERE s.id IS NULL OR e.held != s.revision + 1 OR e.last != s.revision
  UNION ALL
  SELECT s.name, s.revision, s.max_count, s.truncated_before, EXISTS (SELECT 1 FROM streams m WHERE m.name = '$$' || s.name),
    0, NULL, NULL
  FROM streams s
  WHERE s.revision >= 0 AND s.id NOT IN (SELECT stream_id FROM e)`

/** Describes the damage of the log in this file, with what to do. Returns undefined if none was found. */
export const damageIn = (file: string): string | undefined => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    db.exec('PRAGMA cell_size_check = ON; BEGIN')
    const found = [...damagedPages(db), ...missingEvents(db)]
    return found.length === 0 ? undefined : damaged(file, found.join('; '))
  } catch (error) {
    if (!isDamage(error)) throw error
    return damaged(file, (error as Error).message)
  } finally {
    db.close()
  }
}

export const damaged = (file: string, what: string): string =>
  `${file} is damaged: ${what}. Stop Fonds and put a backup of the file in its place`

const damagedPages = (db: DatabaseSync): readonly string[] => {
  const check = (pragma: string) =>
    query<[says: string]>(db, pragma)
      .all()
      .map(([verdict]) => verdict.trim())
      .filter((verdict) => verdict !== 'ok')
  const found = [
    ...check("PRAGMA quick_check('events')"),
    // A small table that is queried by name: its index is compared, too.
    ...check("PRAGMA integrity_check('streams')"),
  ]
  return found.length === 0 ? [] : [`its pages have faults (${found[0]?.replaceAll('\n', ' ')})`]
}

/**
 * Sums over the events, and the same sums computed from the streams: equal if each stream has its revisions from 0 on,
 * as nearly always. Adding up takes a quarter of the time of counting by stream.
 */
const sums = `
  SELECT count(*), sum(stream_id), sum(revision) FROM events NOT INDEXED
  EXCEPT SELECT sum(n), sum(id * n), sum(n * (n - 1) / 2) FROM (SELECT id, revision + 1 AS n FROM streams)`

const missingEvents = (db: DatabaseSync): readonly string[] => {
  if (query(db, sums).get() === undefined) return []
  const streams: { readonly name: string; readonly missing: number }[] = []
  let strays = 0
  for (const [name, revision, maxCount, truncatedBefore, hasMetadata, held, first, last] of query<Held>(
    db,
    uneven,
  ).iterate()) {
    if (name === null) {
      strays += held
      continue
    }
    // If only the newest are kept, or were once, the oldest were deleted: how many is not known.
    const mayBeEmpty = maxCount === 0 || truncatedBefore > revision
    const begins = maxCount === null && !hasMetadata ? 0 : (first ?? (mayBeEmpty ? revision + 1 : revision))
    const missing = revision - begins + 1 - held
    if (missing > 0) streams.push({ name, missing })
    else if (missing < 0 || (last ?? -1) > revision) strays += Math.max(1, -missing)
  }
  const total = streams.reduce((sum, { missing }) => sum + missing, 0)
  const examples = streams.slice(0, 3).map(({ name, missing }) => `${missing} of ${name}`)
  return [
    ...(total > 0
      ? [`${total} events of ${streams.length} streams are missing (${examples.join(', ')})`]
      : []),
    ...(strays > 0 ? [`${strays} events belong to no known stream`] : []),
  ]
}

/** Bytes that are checked on this thread, blocking the event loop; larger files are checked by a worker thread. */
const maxInline = 8 * 1024 ** 2

/** A file of more than `upTo` bytes is not checked. Rejects if the file cannot be read at all. */
export const findDamage = async (
  file: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<string | undefined> => {
  const { size } = statSync(file)
  if (size > upTo) return undefined
  return size <= maxInline ? damageIn(file) : inThread(file)
}

const inThread = (file: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    // Loaded here: every command opens the file, and few start the thread.
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const thread = new Worker(new URL('./damage-thread.ts', import.meta.url), { workerData: file })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the check of ${file} ended with code ${code}`)))
  })
