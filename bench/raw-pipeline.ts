import { createHash, hash } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parse } from 'uuid'
import { indexSql, list, quoted, tableOf, tableSql } from '../infra/views/sqlite/shape.ts'
import { counts, items } from '../src/domain/fixity/views.ts'
import type { Row, ViewShape } from '../src/domain/kernel/view.ts'
import { type Content, check, type Headers } from './raw-content.ts'

/*
 * The work of the pipeline by hand, for `content.recorded` alone: our tables in two files, one loop from the topic to the log, one
 * from the log to the views. It has no decider, no codec, no other projection, no past of the views, and nobody who reads or writes
 * beside it. Its transactions are as large as the engine's: 500 messages, 1000 events.
 *
 * It does what nobody may leave out: it checks what producers send before it is kept, since nothing takes an event back, and it
 * counts the items, since a report cannot read a million rows. It does nothing twice: one call of the hash makes an id, and the
 * unique names of streams, not a look-up, say whether a stream is new.
 */

const messagesAtOnce = 500
const eventsAtOnce = 1000
const group = 'fonds.fixity.items'
const namespace = parse('5d5d1b5e-6d9b-5a0e-9a53-0c7a0a5e6f10')

const open = (file: string, synchronous: 'FULL' | 'NORMAL', checkpointPages: number): DatabaseSync => {
  const db = new DatabaseSync(file)
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = ${checkpointPages};
     PRAGMA cache_size = -65536`,
  )
  return db
}

const rowsOf = (db: DatabaseSync, sql: string) => {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return (...parameters: SQLInputValue[]) => statement.all(...parameters) as unknown as unknown[][]
}

const named = Buffer.alloc(64 * 1024)
named.set(namespace)

/** UUIDv5. */
const idOf = (name: string): string => {
  const end = namespace.length + named.write(name, namespace.length)
  const digest = hash('sha1', named.subarray(0, end))
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

/** Everything on the topic to the log, as events of new streams. */
export const appendByHand = (logFile: string, topic: string): void => {
  const db = open(logFile, 'FULL', 4000)
  const [[log]] = rowsOf(db, 'SELECT id FROM broker_identity')() as [[string]]
  const records = rowsOf(
    db,
    `SELECT offset, taken_at, key, headers, value FROM broker_records WHERE partition_id = ? AND offset >= ?
     ORDER BY offset LIMIT ${messagesAtOnce}`,
  )
  const addStream = db.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, 0)')
  const addEvent = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, 0, ?, ?, ?, ?, ?)',
  )
  const moveCursor = db.prepare(
    `INSERT INTO broker_cursors (group_id, partition_id, committed) VALUES (?, ?, ?)
     ON CONFLICT (group_id, partition_id) DO UPDATE SET committed = excluded.committed`,
  )
  const groupId = db.prepare('INSERT INTO broker_groups (name) VALUES (?)').run(group).lastInsertRowid
  const partitions = rowsOf(
    db,
    'SELECT p.id, p.number FROM broker_partitions p JOIN broker_topics t ON t.id = p.topic_id WHERE t.name = ?',
  )(topic) as [number, number][]

  const append = (partition: number, [offset, takenAt, key, headers, value]: unknown[]): void => {
    const envelope: Headers = JSON.parse(headers as string)
    const content: Content = JSON.parse(value as string)
    check(envelope, content, key)
    const { ce_id, ce_source, ce_time, ce_correlationid } = envelope
    const { store, path, checksums, size } = content
    const stream = `fixity-${store}/${path}`
    const data = JSON.stringify({ checksums, recordedFrom: ce_source, at: ce_time, dueAt: ce_time, size })
    const causationId = `${ce_source}#${ce_id}`
    const at = new Date(takenAt as number).toISOString()
    const metadata = JSON.stringify({
      actor: ce_source,
      causationId,
      correlationId: ce_correlationid ?? ce_id,
      schema: 2,
      origin: { log, topic, partition, offset: `${offset}`, at },
    })
    const id = idOf([stream, causationId, 0, 'ContentRecorded', data].join('\n'))
    const streamId = addStream.run(stream, 'fixity').lastInsertRowid
    addEvent.run(streamId, id, 'ContentRecorded', Date.now(), data, metadata)
  }

  for (const [partitionId, partition] of partitions)
    for (let from = 0; ; ) {
      const batch = records(partitionId, from)
      if (batch.length === 0) break
      from = (batch.at(-1)![0] as number) + 1
      db.exec('BEGIN IMMEDIATE')
      for (const record of batch) append(partition, record)
      moveCursor.run(groupId, partitionId, from)
      db.exec('COMMIT')
    }
  db.close()
}

/** Every event of the log to a row of the view, and to its counts. `alike`: a row of it, like which the others are but for what an event says. */
export const foldByHand = (logFile: string, viewsFile: string, alike: Row): void => {
  const log = open(logFile, 'FULL', 4000)
  const db = open(viewsFile, 'NORMAL', 10_000)
  db.exec('CREATE TABLE generation (position INTEGER NOT NULL) STRICT; INSERT INTO generation VALUES (-1)')
  for (const shape of [items, counts])
    for (const sql of [tableSql(shape, 1), ...indexSql(shape, 1)]) db.exec(sql)
  const columns = Object.keys(items.columns)
  const put = db.prepare(
    `INSERT INTO ${tableOf(items.name, 1)} (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (store, path) DO UPDATE SET state = excluded.state`,
  )
  const checkpoint = db.prepare('UPDATE generation SET position = ? WHERE position = ?')
  const events = rowsOf(
    log,
    `SELECT e.position, s.name, e.data, e.metadata FROM events e CROSS JOIN streams s ON s.id = e.stream_id
     WHERE e.position > ? AND s.category = 'fixity' ORDER BY e.position LIMIT ${eventsAtOnce}`,
  )
  const valuesOf = createValues(columns, alike)
  const state = alike.state as string
  const { count, flush } = createCounts(db)
  for (let position = -1; ; ) {
    const batch = events(position) as [number, string, string, string][]
    if (batch.length === 0) break
    const next = batch.at(-1)![0]
    db.exec('BEGIN IMMEDIATE')
    for (const [, stream, data, metadata] of batch) {
      JSON.parse(metadata)
      const recorded: Recorded = JSON.parse(data)
      const values = valuesOf(stream, recorded)
      put.run(...values)
      const store = values[0] as string
      count('state', store, state)
      count('looked', store, recorded.at.slice(0, 10))
    }
    flush()
    checkpoint.run(next, position)
    db.exec('COMMIT')
    position = next
  }
  log.close()
  db.close()
}

/** Added up in memory, and written once a transaction. */
const createCounts = (db: DatabaseSync) => {
  const add = db.prepare(
    `INSERT INTO ${tableOf(counts.name, 1)} ("of", store, value, count) VALUES (?, ?, ?, ?)
     ON CONFLICT ("of", store, value) DO UPDATE SET count = count + excluded.count`,
  )
  const counted = new Map<string, { readonly key: readonly string[]; count: number }>()
  return {
    count: (...key: readonly [of: string, store: string, value: string]): void => {
      const name = key.join('\n')
      const known = counted.get(name)
      if (known) known.count++
      else counted.set(name, { key, count: 1 })
    },
    flush: (): void => {
      for (const { key, count } of counted.values()) add.run(...key, count)
      counted.clear()
    },
  }
}

interface Recorded {
  readonly checksums: readonly unknown[]
  readonly recordedFrom: string
  readonly at: string
  readonly dueAt: string
  readonly size: number
}

const createValues = (columns: readonly string[], alike: Row) => {
  const place = (column: string): number => columns.indexOf(column)
  const [store, path, folder, size] = ['store', 'path', 'folder', 'size'].map(place) as number[]
  const [checksums, indexed, recordedFrom] = ['checksums', 'indexed', 'recordedFrom'].map(place)
  const [recordedAt, due, lateAfter, available] = ['recordedAt', 'due', 'lateAfter', 'available'].map(place)
  const others = columns.map((column) => alike[column] as SQLInputValue)
  return (stream: string, data: Recorded): SQLInputValue[] => {
    const slash = stream.indexOf('/')
    const name = stream.slice(slash + 1)
    const values = others.slice()
    values[store!] = stream.slice('fixity-'.length, slash)
    values[path!] = name
    values[folder!] = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    values[size!] = data.size
    values[checksums!] = JSON.stringify(data.checksums)
    values[indexed!] = JSON.stringify({ checksums: data.checksums, size: data.size })
    values[recordedFrom!] = data.recordedFrom
    values[recordedAt!] = data.at
    values[due!] = values[lateAfter!] = values[available!] = data.dueAt
    return values
  }
}

/** What is in the log but for places and times, and in the views: the same of both, where both did the work. */
export const doneIn = (logFile: string, viewsFile: string): string => {
  const log = new DatabaseSync(logFile, { readOnly: true })
  const views = new DatabaseSync(viewsFile, { readOnly: true })
  const done = [
    digestOf(
      log,
      `SELECT s.name, e.revision, e.id, e.type, e.data, e.metadata, e.encoding FROM events e
       JOIN streams s ON s.id = e.stream_id WHERE s.category = 'fixity' ORDER BY s.name, e.revision`,
    ),
    digestOf(views, `${rowsSql(views, items)} ORDER BY store, path`),
    digestOf(views, `${rowsSql(views, counts)} ORDER BY "of", store, value`),
  ]
  log.close()
  views.close()
  return done.join('; ')
}

/**
 * The rows of a view as they are now, without what the store adds. Which generation's they are depends on the other projections;
 * the tables of their past have longer names.
 */
const rowsSql = (db: DatabaseSync, { name, columns }: ViewShape): string => {
  const tables = rowsOf(
    db,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? ORDER BY length(name)",
  )
  const [[table]] = tables(`${name}__*`) as [[string]]
  return `SELECT ${list(Object.keys(columns))} FROM ${quoted(table)}`
}

/** A row of the view, as it is stored. */
export const anyRowIn = (viewsFile: string): Row => {
  const db = new DatabaseSync(viewsFile, { readOnly: true })
  const row = db.prepare(`${rowsSql(db, items)} LIMIT 1`).get()
  db.close()
  return row as Row
}

const digestOf = (db: DatabaseSync, sql: string): string => {
  const digest = createHash('sha256')
  let rows = 0
  for (const row of db.prepare(sql).iterate()) {
    digest.update(JSON.stringify(row))
    rows++
  }
  return `${rows} rows ${digest.digest('hex').slice(0, 16)}`
}
