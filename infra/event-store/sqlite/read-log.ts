import type { DatabaseSync } from 'node:sqlite'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { maxScanned } from '../../../src/domain/kernel/event.ts'
import type {
  BatchWithBytes,
  EventBatch,
  EventBytes,
  EventFilter,
  StoredBatch,
} from '../../../src/ports/event-store.ts'
import { takePages } from '../../sqlite/pages.ts'
import { type Query, query } from '../../sqlite/query.ts'
import { createStoredDecoder, type EventRow, storedBytes, type ToEvent } from './event-row.ts'

const columns = 'e.position, s.name, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding'

/** Names with `$` are EventStoreDB's own, such as metadata of streams: the gateway alone writes and reads them. */
const shown = `(s.name < '$' OR s.name >= '%') AND (e.type < '$' OR e.type >= '%')`

/**
 * Characters of data and metadata after which a page ends, however few events it holds. Parsed they take ten times the
 * memory, and a change of a graph can be a thousand times as large as an ordinary event.
 */
const maxPageSize = 8 * 1024 * 1024

const sizeOf = (row: EventRow): number => row[6].length + row[7].length

export const createLogReader = (db: DatabaseSync, toEvent: ToEvent) => {
  const newest = query<EventRow>(
    db,
    `SELECT ${columns} FROM events e JOIN streams s ON s.id = e.stream_id
     WHERE e.position < ? AND ${shown} ORDER BY e.position DESC LIMIT ?`,
  )
  const headPosition = query<[position: number | null]>(db, 'SELECT max(position) FROM events')
  const scanFor = createScans(db)
  const toStored = createStoredDecoder()

  const head = (): bigint => {
    const [position] = headPosition.get() ?? [null]
    return BigInt(position ?? -1)
  }

  const page = <A extends { readonly position: bigint }>(
    after: bigint,
    filter: EventFilter,
    limit: number,
    decode: (row: EventRow) => A,
  ) => {
    const last = head()
    const furthest = after + BigInt(Math.max(maxScanned, limit))
    const end = furthest < last ? furthest : last
    const parameters = [...(filter.categories ?? []), ...(filter.types ?? [])]
    const scan = scanFor(filter)
    const events: A[] = []
    const read = (behind: EventRow | undefined, rows: number) =>
      scan.all(behind ? behind[0] : Number(after), Number(end), ...parameters, rows)
    const take = (row: EventRow): number => {
      events.push(decode(row))
      return sizeOf(row)
    }
    const size = takePages(read, take, { limit, maxSize: maxPageSize })
    const isCut = size >= maxPageSize || events.length === limit
    const reached = end < after ? after : end
    const position = isCut ? events.at(-1)!.position : reached
    return { events, position, caughtUp: position >= last }
  }

  return {
    head,
    readBack: (before: bigint | 'end', limit: number): readonly RecordedEvent[] =>
      newest.all(before === 'end' ? Number.MAX_SAFE_INTEGER : Number(before), limit).map(toEvent),
    /** Calls `take` with every event between two positions (the first exclusive) and its characters of data and metadata. */
    each: (after: bigint, to: bigint, take: (event: RecordedEvent, size: number) => void): void => {
      for (const row of scanFor({}).iterate(Number(after), Number(to), -1)) take(toEvent(row), sizeOf(row))
    },
    readAll: (after: bigint, filter: EventFilter, limit: number): EventBatch =>
      page(after, filter, limit, toEvent),
    readStored: (after: bigint, filter: EventFilter, limit: number): StoredBatch =>
      page(after, filter, limit, toStored),
    readWithBytes: (after: bigint, filter: EventFilter, limit: number): BatchWithBytes => {
      const bytes: EventBytes[] = []
      const decode = (row: EventRow): RecordedEvent => {
        bytes.push(storedBytes(row))
        return toEvent(row)
      }
      return { ...page(after, filter, limit, decode), bytes }
    },
  }
}

/** Filters with the same numbers of names share a prepared statement: a process uses few of them. */
const createScans = (db: DatabaseSync): ((filter: EventFilter) => Query<EventRow>) => {
  const scans = new Map<string, Query<EventRow>>()
  return (filter) => {
    const key = `${filter.categories?.length}/${filter.types?.length}`
    const found = scans.get(key)
    if (found) return found
    const clauses = [
      shown,
      ...(filter.categories ? [`s.category IN (${filter.categories.map(() => '?').join(',')})`] : []),
      ...(filter.types ? [`e.type IN (${filter.types.map(() => '?').join(',')})`] : []),
    ]
    // CROSS JOIN pins the order: events by position, never streams first.
    const scan = query<EventRow>(
      db,
      `SELECT ${columns} FROM events e CROSS JOIN streams s ON s.id = e.stream_id
       WHERE e.position > ? AND e.position <= ? AND ${clauses.join(' AND ')}
       ORDER BY e.position LIMIT ?`,
    )
    scans.set(key, scan)
    return scan
  }
}
