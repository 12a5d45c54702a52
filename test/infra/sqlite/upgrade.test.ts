import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { type Database, openDatabase } from '#infra/sqlite/database.ts'
import { event } from '../../contracts/new-event.ts'

/** The tables as the first version made them. */
const firstVersion = `
  CREATE TABLE fonds_schema (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
  INSERT INTO fonds_schema VALUES ('event-store', 1);
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, category TEXT NOT NULL,
    revision INTEGER NOT NULL, truncated_before INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, stream_id INTEGER NOT NULL,
    revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, recorded_at INTEGER NOT NULL,
    data TEXT NOT NULL, metadata TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);
  CREATE UNIQUE INDEX events_by_id ON events (stream_id, id);
  CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events never go'); END;
  INSERT INTO streams (name, category, revision) VALUES ('old-1', 'old', 0);
  INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata)
    VALUES (1, 0, '01890000-0000-7000-8000-000000000000', 'Kept', 1700000000000, '{"n":1}', '{"schema":1}');
`

/** What the second version had besides: an event of another program, and an id that no stream takes twice. */
const secondVersion = `${firstVersion}
  UPDATE fonds_schema SET version = 2;
  CREATE TABLE log_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO log_identity VALUES ('second');
  ALTER TABLE streams ADD COLUMN max_count INTEGER;
  ALTER TABLE events ADD COLUMN encoding INTEGER NOT NULL DEFAULT 0;
  INSERT INTO streams (name, category, revision) VALUES ('other-1', 'other', 0);
  INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding)
    VALUES (2, 0, '01890000-0000-7000-8000-000000000001', 'Foreign', 1700000000000, '{"n":2}', '{}', 8);
`

let folder: string
let db: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-upgrade-'))
  db = openDatabase(join(folder, 'fonds.db'))
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a log of the first version is read, written and trimmed like a new one, and its facts still never go', async () => {
  db.writer.exec(firstVersion)
  const store = openSqliteEventStore(db)
  expect(await store.read('old-1', 'start', 'forward', 10)()).toMatchObject({ right: [{ data: { n: 1 } }] })
  expect(await store.append('old-1', 0n, [event('Added')])()).toMatchObject({ right: { revision: 1n } })
  expect(await store.keepLatest('duty-x', 1)()).toMatchObject({ _tag: 'Right' })
  await store.append('duty-x', 'none', [event('A'), event('B')])()
  expect(await store.read('duty-x', 'start', 'forward', 10)()).toMatchObject({ right: [{ revision: 1n }] })
  expect(() => db.writer.exec('DELETE FROM events WHERE stream_id = 1')).toThrow('events never go')
})

it('in a log of the second version ids are still known, and those of other programs may come again', async () => {
  db.writer.exec(secondVersion)
  const store = openSqliteEventStore(db)
  expect(await store.read('other-1', 'start', 'forward', 10)()).toMatchObject({ right: [{ data: { n: 2 } }] })
  const again = (stream: string, id: string) => store.append(stream, 'any', [{ ...event('Kept'), id }])()
  const known = { right: { revision: 0n } }
  expect(await again('old-1', '01890000-0000-7000-8000-000000000000')).toMatchObject(known)
  expect(await again('other-1', '01890000-0000-7000-8000-000000000001')).toMatchObject(known)
  const repeat = (encoding: number) => () =>
    db.writer.exec(`INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding)
      SELECT stream_id, revision + 1, id, type, recorded_at, data, metadata, encoding FROM events WHERE encoding = ${encoding}`)
  expect(repeat(0)).toThrow('UNIQUE constraint failed')
  expect(repeat(8)).not.toThrow()
})
