import type { DatabaseSync } from 'node:sqlite'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import {
  type EventBatch,
  type EventFilter,
  mostLookedAt,
  type ReadFailure,
  type StreamMetadata,
} from '../../../src/ports/event-store.ts'
import { type Query, query } from '../../sqlite/query.ts'
import { foreignValues } from './encoding.ts'
import { metadataReader, metastreamOf } from './stream-metadata.ts'

/** An event as the file has it, with its stream's name. */
export type EventRow = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  recordedAt: number,
  data: string,
  metadata: string,
  encoding: number,
]

const columns = 'e.position, s.name, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding'

/** `$…` are EventStoreDB's own, as metadata of streams: they come in through the gateway and are nobody's business. */
const shown = `(s.name < '$' OR s.name >= '%') AND (e.type < '$' OR e.type >= '%')`

/**
 * Characters of data and metadata behind which a page ends, however few events it holds: parsed they take some ten times
 * that, and a change of a graph can be a thousand times as large as an ordinary event.
 */
const largestPage = 8 * 1024 * 1024

/** Events are not what they were when they were written. */
export class DamagedEvents extends Error {
  override readonly name = 'DamagedEvents'
}

type StreamRow = [
  id: number,
  revision: number,
  state: number,
  truncatedBefore: number,
  maxCount: number | null,
]

export type EventReader = ReturnType<typeof eventReader>

export const eventReader = (db: DatabaseSync) => {
  const written = metadataReader(db)
  const maxCountOf = query<[maxCount: number | null]>(db, 'SELECT max_count FROM streams WHERE name = ?')
  const findStream = query<StreamRow>(
    db,
    'SELECT id, revision, state, truncated_before, max_count FROM streams WHERE name = ?',
  )
  const ofStream = (order: 'ASC' | 'DESC', bound: '>=' | '<=') =>
    query<EventRow>(
      db,
      `SELECT e.position, ?, e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding FROM events e
       WHERE e.stream_id = ? AND e.revision ${bound} ? AND e.revision >= ? ORDER BY e.revision ${order} LIMIT ?`,
    )
  const forward = ofStream('ASC', '>=')
  const backward = ofStream('DESC', '<=')
  const newest = query<EventRow>(
    db,
    `SELECT ${columns} FROM events e JOIN streams s ON s.id = e.stream_id
     WHERE e.position < ? AND ${shown} ORDER BY e.position DESC LIMIT ?`,
  )
  const logIdentity = query<[id: string]>(db, 'SELECT id FROM log_identity')
  const headPosition = query<[position: number | null]>(db, 'SELECT max(position) FROM events')
  const scans = new Map<string, Query<EventRow>>()
  const toEvent = eventDecoder()

  const head = (): bigint => {
    const [position] = headPosition.get() ?? [null]
    return BigInt(position ?? -1)
  }

  /** The scan is prepared once for all filters of as many names: the same few are read for ever. */
  const scanFor = (filter: EventFilter): Query<EventRow> => {
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

  return {
    head,
    identity: (): string => logIdentity.get()![0],
    read: (
      name: string,
      from: bigint | 'start' | 'end',
      direction: 'forward' | 'backward',
      limit: number,
    ): Either<ReadFailure, readonly RecordedEvent[]> => {
      const stream = findStream.get(name)
      if (!stream) return right([])
      const [id, revision, state, truncatedBefore, maxCount] = stream
      if (state === 2) return left({ kind: 'StreamDeleted', stream: name })
      const start = from === 'start' ? 0 : from === 'end' ? revision : Number(from)
      const rows = (direction === 'forward' ? forward : backward).all(name, id, start, truncatedBefore, limit)
      const [first, step, there] =
        direction === 'forward'
          ? [Math.max(start, truncatedBefore), 1, revision - Math.max(start, truncatedBefore) + 1]
          : [Math.min(start, revision), -1, Math.min(start, revision) - truncatedBefore + 1]
      const isWhole =
        rows.length >= Math.min(limit, there) && rows.every((row, i) => row[2] === first + i * step)
      // Where only the newest are kept, or were once, the oldest have gone.
      if (!isWhole && maxCount === null && !findStream.get(metastreamOf(name)))
        throw new DamagedEvents(`events of stream ${name} are missing`)
      return right(rows.map(toEvent))
    },
    /** As it was written, and how many events are kept where only that was said. */
    metadata: (name: string): StreamMetadata => {
      const json = written(name)
      const [maxCount] = maxCountOf.get(name) ?? [null]
      const kept = maxCount === null ? {} : { $maxCount: maxCount }
      return typeof json === 'object' && json !== null ? { ...kept, ...json } : kept
    },
    readBack: (before: bigint | 'end', limit: number): readonly RecordedEvent[] =>
      newest.all(before === 'end' ? Number.MAX_SAFE_INTEGER : Number(before), limit).map(toEvent),
    /** Every event between two positions (the first exclusive), with its characters of data and metadata. */
    each: (after: bigint, to: bigint, take: (event: RecordedEvent, size: number) => void): void => {
      for (const row of scanFor({}).iterate(Number(after), Number(to), -1))
        take(toEvent(row), row[6].length + row[7].length)
    },
    readAll: (after: bigint, filter: EventFilter, limit: number): EventBatch => {
      const last = head()
      const stretch = after + BigInt(Math.max(mostLookedAt, limit))
      const end = stretch < last ? stretch : last
      const parameters = [...(filter.categories ?? []), ...(filter.types ?? [])]
      const events: RecordedEvent[] = []
      let size = 0
      for (const row of scanFor(filter).iterate(Number(after), Number(end), ...parameters, limit)) {
        events.push(toEvent(row))
        size += row[6].length + row[7].length
        if (size >= largestPage) break
      }
      const isCut = size >= largestPage || events.length === limit
      const looked = end < after ? after : end
      const position = isCut ? events.at(-1)!.position : looked
      return { events, position, caughtUp: position >= last }
    },
  }
}

const eventDecoder = () => {
  // Events of one transaction share their time: most conversions are the last one again.
  let millis = -1
  let text = ''
  return (row: EventRow): RecordedEvent => {
    if (row[5] !== millis) {
      millis = row[5]
      text = new Date(millis).toISOString()
    }
    const values = valuesOf(row)
    return {
      stream: row[1],
      revision: BigInt(row[2]),
      position: BigInt(row[0]),
      id: row[3],
      type: row[4],
      recordedAt: values.recordedAt ?? text,
      data: values.data,
      metadata: values.metadata,
    }
  }
}

const valuesOf = (row: EventRow): ReturnType<typeof foreignValues> => {
  const [position, stream, , , , , data, metadata, encoding] = row
  try {
    return encoding === 0
      ? { data: JSON.parse(data), metadata: JSON.parse(metadata), recordedAt: undefined }
      : foreignValues(data, metadata, encoding)
  } catch (error) {
    throw new DamagedEvents(
      `the event at position ${position}, of stream ${stream}, cannot be read (${(error as Error).message})`,
    )
  }
}
