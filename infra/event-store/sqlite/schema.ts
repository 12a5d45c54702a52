/**
 * `truncated_before`: events below it no longer read (after a soft deletion). `max_count`: only so many of the newest
 * are kept; null for all. `state`: 0 open, 1 soft-deleted, 2 tombstoned. `encoding`: how data and
 * metadata are written; 0 is JSON. An id is once in a stream, but for events of other programs (`encoding` is not 0): they are
 * taken as EventStoreDB takes them.
 */
export const schemaVersion = 3

const identity = `
  CREATE TABLE log_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO log_identity VALUES (lower(hex(randomblob(16))));
`

const ids = `
  CREATE UNIQUE INDEX events_by_id ON events (stream_id, id) WHERE encoding = 0;
  CREATE INDEX foreign_events_by_id ON events (stream_id, id) WHERE encoding <> 0;
`

export const ddl = `${identity}
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL,
    truncated_before INTEGER NOT NULL DEFAULT 0,
    state INTEGER NOT NULL DEFAULT 0,
    max_count INTEGER
  ) STRICT;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream_id INTEGER NOT NULL REFERENCES streams (id),
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    encoding INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);
  ${ids}

  CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events never change'); END;
  CREATE TRIGGER events_never_go BEFORE DELETE ON events
    WHEN (SELECT max_count FROM streams WHERE id = OLD.stream_id) IS NULL
    BEGIN SELECT RAISE(ABORT, 'events never go'); END;
`

/** `upgrades[n]` makes tables of version n into version n + 1. */
export const upgrades: Readonly<Record<number, string>> = {
  1: `${identity}
    ALTER TABLE streams ADD COLUMN max_count INTEGER;
    ALTER TABLE events ADD COLUMN encoding INTEGER NOT NULL DEFAULT 0;
    DROP TRIGGER events_never_go;
    CREATE TRIGGER events_never_go BEFORE DELETE ON events
      WHEN (SELECT max_count FROM streams WHERE id = OLD.stream_id) IS NULL
      BEGIN SELECT RAISE(ABORT, 'events never go'); END;
  `,
  2: `DROP INDEX events_by_id; ${ids}`,
}
