import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import * as either from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { openSqliteEventStore } from '../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../infra/sqlite/database.ts'
import { event } from '../../contracts/new-event.ts'
import { useFolder } from '../../e2e/run-fonds.ts'

const opened = async () => {
  const file = join(useFolder().folder, 'fonds.db')
  const db = openDatabase(file)
  const store = openSqliteEventStore(db)
  for (let n = 0; n < 20; n++) await store.append(`a-${n}`, 'none', [event('Happened', 'x'.repeat(2000))])()
  db.writer.exec('PRAGMA wal_checkpoint(PASSIVE)')
  expect(db.lost()).toBeUndefined()
  return { file, db, store }
}

it.each([
  ['deleted', (file: string) => rmSync(file), 'fonds.db was deleted'],
  [
    'replaced by a copy',
    (file: string) => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
    'fonds.db was replaced by another file',
  ],
  ['truncated', (file: string) => truncateSync(file, 8192), 'fonds.db was cut'],
  ['emptied', (file: string) => truncateSync(file, 0), 'fonds.db was cut'],
  ['its newest commits deleted', (file: string) => rmSync(`${file}-wal`), 'fonds.db-wal was deleted'],
])(
  '%s under an open database: no append is acknowledged, and the log does not count as there',
  async (_, harm, says) => {
    const { file, db, store } = await opened()
    harm(file)
    const unavailable = either.left({ kind: 'Unavailable', reason: expect.stringContaining(says) })
    expect(await store.append('b-1', 'none', [event()])()).toEqual(unavailable)
    expect(await store.head()()).toEqual(unavailable)
    await db.close()
  },
)

it('put back as it was: work goes on', async () => {
  const { file, db, store } = await opened()
  renameSync(file, `${file}.away`)
  const appended = [event()]
  expect(either.isLeft(await store.append('b-1', 'none', appended)())).toBe(true)
  renameSync(`${file}.away`, file)
  expect(either.isRight(await store.append('b-1', 'none', appended)())).toBe(true)
  await db.close()
})

it('VACUUM makes the file smaller, and nothing is wrong with that', async () => {
  const { db, store } = await opened()
  db.writer.exec('CREATE TABLE much (text TEXT)')
  db.writer.prepare('INSERT INTO much VALUES (?)').run('x'.repeat(2_000_000))
  db.writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(db.lost()).toBeUndefined()
  db.writer.exec('DROP TABLE much; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  expect(either.isRight(await store.append('b-1', 'none', [event()])())).toBe(true)
  expect(either.isRight(await store.head()())).toBe(true)
  await db.close()
})
