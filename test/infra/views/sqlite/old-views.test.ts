import { DatabaseSync } from 'node:sqlite'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { useFolder } from '../../../processors/runtime/log.ts'

/* Views as a program wrote them that kept positions and times of checkpoints, and no events. */

const folder = useFolder()

const shapes = JSON.stringify([
  { name: 'things', description: 'Things.', key: ['id'], columns: { id: 'text', size: 'integer' } },
])

/** Word for word what that program made. */
const oldFile = () => {
  const file = folder.path('views.db')
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA application_id = ${0x46564557};
    PRAGMA user_version = 1;
    CREATE TABLE generation (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      projection TEXT NOT NULL,
      version    INTEGER NOT NULL,
      status     TEXT NOT NULL CHECK (status IN ('building', 'live')),
      shapes     TEXT NOT NULL,
      position   INTEGER NOT NULL DEFAULT -1,
      time       TEXT
    ) STRICT;
    CREATE TABLE folded_log (id TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX one_live ON generation (projection) WHERE status = 'live';
    CREATE TABLE "things__1" (id TEXT NOT NULL, size INTEGER, PRIMARY KEY (id)) STRICT, WITHOUT ROWID;
    INSERT INTO "things__1" VALUES ('a', 1);
    INSERT INTO folded_log VALUES ('the log');
    INSERT INTO generation (projection, version, status, shapes, position, time)
      VALUES ('p', 3, 'live', '${shapes}', 270, '2026-01-02T03:04:05.678Z'), ('follower', 1, 'live', '[]', 270, NULL);
  `)
  onTestFinished(() => db.close())
  return { db, file }
}

const place = {
  stream: 'x-1',
  revision: '0',
  id: 'an event',
  position: '271',
  recordedAt: '2026-01-03T00:00:00.000Z',
}
const to = { position: 272n, time: place.recordedAt, event: place }

it('is read as it is: rows, positions and times, and no events', () => {
  const views = openViewStore(oldFile().file)
  onTestFinished(() => views.close())
  expect(views.query('things', {})).toEqual([{ id: 'a', size: 1 }])
  expect(views.foldedLog()).toEqual({ id: 'the log', seen: [] })
  expect(views.checkpoint(views.live('p')!)).toEqual({ position: 270n, time: '2026-01-02T03:04:05.678Z' })
  expect(views.checkpoint(views.live('follower')!)).toEqual({ position: 270n, time: null })
  expect(isRight(views.fold(views.live('p')!, 270n, to, () => {}))).toBe(true)
  expect(views.checkpoint(views.live('p')!)).toEqual(to)
})

it('the older program goes on beside this one, and an event that is no longer its own is not believed', () => {
  const { db, file } = oldFile()
  // Prepared before the file gains anything, as by a program that runs.
  const move = db.prepare('UPDATE generation SET position = ?, time = ? WHERE id = ? AND position = ?')
  const all = db.prepare('SELECT id, projection, version, status, position, time FROM generation ORDER BY id')
  const add = db.prepare(
    "INSERT INTO generation (projection, version, status, shapes) VALUES (?, ?, 'building', ?)",
  )
  const setLog = db.prepare('INSERT INTO folded_log VALUES (?)')
  const views = openViewStore(file)
  onTestFinished(() => views.close())
  views.bindTo({ id: 'the log', seen: [place] }, [])
  const live = views.live('p')!
  expect(isRight(views.fold(live, 270n, to, () => {}))).toBe(true)

  expect(move.run(280, place.recordedAt, live.id, 272).changes).toBe(1)
  expect(all.all()).toHaveLength(2)
  expect(add.run('p', 4, '[]').changes).toBe(1)
  db.exec('DELETE FROM folded_log')
  expect(setLog.run('another log').changes).toBe(1)

  expect(views.checkpoint(live)).toEqual({ position: 280n, time: place.recordedAt })
  expect(views.foldedLog()).toEqual({ id: 'another log', seen: [place] })
  expect(views.generations()).toHaveLength(3)
})

/** As a program stored it that kept versions of rows in cells: tables and a row of each, word for word. */
it('page P61: history of an older form is dropped with its views, once they are rebuilt', () => {
  const { db, file } = oldFile()
  const kept = JSON.stringify([
    {
      name: 'jobs',
      description: 'Jobs.',
      key: ['job'],
      columns: { job: 'text', state: 'text' },
      history: { by: [['state']] },
    },
  ])
  db.exec(`
    CREATE TABLE "jobs__3" ("@from" INTEGER NOT NULL, "job" TEXT NOT NULL, "state" TEXT, PRIMARY KEY ("job")) STRICT, WITHOUT ROWID;
    CREATE TABLE "jobs__3__past" (
          "@cell" INTEGER NOT NULL, "@from" INTEGER NOT NULL, "@to" INTEGER NOT NULL, "job" TEXT NOT NULL, "state" TEXT,
          PRIMARY KEY ("@cell", "job", "@from")) STRICT, WITHOUT ROWID;
    CREATE INDEX "jobs__3__span12__0" ON "jobs__3" ("@from" >> 12, "job");
    CREATE INDEX "jobs__3__past1" ON "jobs__3__past" ("@cell", "state", "job", "@from", "@to");
    INSERT INTO "jobs__3" VALUES (7, 'a', 'done');
    INSERT INTO "jobs__3__past" VALUES (562949953421312, 5, 7, 'a', 'waiting');
    INSERT INTO generation (projection, version, status, shapes, position, time)
      VALUES ('jobs', 1, 'live', '${kept}', 7, '2026-01-02T03:04:05.678Z');
  `)
  const views = openViewStore(file)
  onTestFinished(() => views.close())
  expect(views.query('jobs', {})).toEqual([{ job: 'a', state: 'done' }])
  views.promote(views.create('jobs', 2, JSON.parse(kept)))
  expect(views.query('jobs', {})).toEqual([])
  const left = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'jobs__3%'").all()
  expect(left).toEqual([])
})
