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

let folder: string
let db: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-upgrade-'))
  db = openDatabase(join(folder, 'fonds.db'))
  db.writer.exec(firstVersion)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a log of the first version is read, written and trimmed like a new one, and its facts still never go', async () => {
  const store = openSqliteEventStore(db)
  expect(await store.read('old-1', 'start', 'forward', 10)()).toMatchObject({ right: [{ data: { n: 1 } }] })
  expect(await store.append('old-1', 0n, [event('Added')])()).toMatchObject({ right: { revision: 1n } })
  expect(await store.keepLatest('duty-x', 1)()).toMatchObject({ _tag: 'Right' })
  await store.append('duty-x', 'none', [event('A'), event('B')])()
  expect(await store.read('duty-x', 'start', 'forward', 10)()).toMatchObject({ right: [{ revision: 1n }] })
  expect(() => db.writer.exec('DELETE FROM events WHERE stream_id = 1')).toThrow('events never go')
})
