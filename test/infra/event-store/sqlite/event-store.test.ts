import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteEventStore } from '../../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../../infra/sqlite/database.ts'
import { eventStoreContract } from '../../../contracts/event-store.ts'
import { event } from '../../../contracts/new-event.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const contractWith = (name: string, options: Parameters<typeof openSqliteEventStore>[1]) =>
  eventStoreContract(name, async () => {
    const file = join(folder, 'fonds.db')
    const opened = [openSqliteEventStore(openDatabase(file), options)]
    return {
      store: opened[0]!,
      other: async () => {
        const store = openSqliteEventStore(openDatabase(file, { pollMillis: 5 }), options)
        opened.push(store)
        return store
      },
      dispose: async () => {
        await Promise.all(opened.map((store) => store.close()))
      },
      knowsIdsAtExactRevision: true,
    }
  })
contractWith('sqlite', {})
contractWith('sqlite, with room for three events in memory', { recent: { maxEvents: 3, maxBytes: 10_000 } })

describe('sqlite event store', () => {
  const file = () => join(folder, 'fonds.db')

  it('the log is immutable for anyone who opens the file', async () => {
    const store = openSqliteEventStore(openDatabase(file()))
    await store.append('a-1', 'none', [event()])()
    await store.close()
    const db = new DatabaseSync(file())
    expect(() => db.exec("UPDATE events SET type = 'Other'")).toThrow('events never change')
    expect(() => db.exec('DELETE FROM events')).toThrow('events never go')
    db.close()
  })

  it('what is scavenged is overwritten in the file, however long the stream is, and the log stays immutable', async () => {
    const store = openSqliteEventStore(openDatabase(file()))
    const secrets = Array.from({ length: 2500 }, () => event('T', { text: 'adelheid-q20' }))
    await store.append('a-1', 'none', secrets)()
    await store.append('b-1', 'none', [event('T', { text: 'stays' })])()
    await store.setMetadata('a-1', { $tb: 2499 })()
    expect(
      await store.scavenge!(['b-1', 'a-1', 'c-1'].map((stream) => ({ stream, before: 2499n })))(),
    ).toEqual(either.right(undefined))
    const left = await store.readAll(-1n, {}, 9)()
    expect(either.isRight(left) && left.right.events.map((e) => `${e.stream} ${e.revision}`)).toEqual([
      'a-1 2499',
      'b-1 0',
    ])
    await store.close()
    expect(readFileSync(file()).toString('latin1').split('adelheid-q20')).toHaveLength(2)
    const db = new DatabaseSync(file())
    expect(() =>
      db.exec('DELETE FROM events WHERE id IN (SELECT id FROM events WHERE revision = 0)'),
    ).toThrow('events never go')
    db.close()
  })

  it('time never falls when the clock does', async () => {
    const times = [2000, 1000, 3000]
    const store = openSqliteEventStore(openDatabase(file()), { clock: () => times.shift()! })
    for (let i = 0; i < 3; i++) await store.append('a-1', 'any', [event()])()
    const all = await store.readAll(-1n, {}, 10)()
    expect(either.isRight(all) && all.right.events.map((e) => Date.parse(e.recordedAt))).toEqual([
      2000, 2000, 3000,
    ])
    await store.close()
  })

  it('a page of large events ends early, and says that more is waiting', async () => {
    const store = openSqliteEventStore(openDatabase(file()))
    const large = { ...(event().data as object), text: 'x'.repeat(3 * 1024 * 1024) }
    for (let i = 0; i < 7; i++) await store.append('a-1', 'any', [{ ...event(), data: large }])()
    const pages: number[] = []
    for (let after = -1n; ; ) {
      const page = await store.readAll(after, { types: [event().type] }, 100)()
      if (either.isLeft(page)) throw new Error(page.left.reason)
      pages.push(page.right.events.length)
      after = page.right.position
      if (page.right.caughtUp) break
    }
    expect(pages).toEqual([3, 3, 1])
    await store.close()
  })

  it('one bad append in a group hurts no other', async () => {
    const store = openSqliteEventStore(openDatabase(file()))
    const known = event()
    await store.append('a-1', 'none', [known])()
    const results = await Promise.all([
      store.append('b-1', 'none', [event()])(),
      store.append('a-1', 0n, [event(), known])(),
      store.append('c-1', 'none', [event()])(),
    ])
    expect(results.map((result) => result._tag)).toEqual(['Right', 'Left', 'Right'])
    await store.close()
  })

  it('a full disk is Unavailable, loses nothing, and writing goes on when there is room', async () => {
    const db = openDatabase(file())
    const store = openSqliteEventStore(db)
    await store.append('a-1', 'none', [event()])()
    const pages = (db.writer.prepare('PRAGMA page_count').get() as { page_count: number }).page_count
    db.writer.exec(`PRAGMA max_page_count = ${pages}`)
    const big = event('Big', { text: 'x'.repeat(200_000) })
    const refused = await store.append('a-1', 0n, [big])()
    expect(refused).toMatchObject(
      either.left({ kind: 'Unavailable', reason: expect.stringContaining('disk is full') }),
    )
    db.writer.exec('PRAGMA max_page_count = 1000000')
    expect(await store.append('a-1', 0n, [big])()).toMatchObject(either.right({ revision: 1n }))
    await store.close()
  })

  it('waits for another process that holds the write lock', async () => {
    const store = openSqliteEventStore(openDatabase(file()))
    const holder = new DatabaseSync(file())
    holder.exec('BEGIN IMMEDIATE')
    const waiting = store.append('a-1', 'none', [event()])()
    setTimeout(() => holder.exec('COMMIT'), 60)
    expect(either.isRight(await waiting)).toBe(true)
    holder.close()
    await store.close()
  })

  it('refuses a file that is no database, and one from a newer Fonds', async () => {
    writeFileSync(file(), 'this is not a database, it is a letter')
    expect(() => openDatabase(file())).toThrow(/fonds\.db: .*not a database/)
    const other = join(folder, 'newer.db')
    await openSqliteEventStore(openDatabase(other)).close()
    const db = new DatabaseSync(other)
    db.exec('UPDATE fonds_schema SET version = 99')
    db.close()
    expect(() => openSqliteEventStore(openDatabase(other))).toThrow('run a newer Fonds')
  })

  it('killed at any moment: every acknowledged event is there once, in order', () => {
    const writer = join(import.meta.dirname, 'killed-writer.ts')
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < 4; round++) {
      const { stdout, signal } = spawnSync(process.execPath, [writer, file(), String(40 + round * 35)], {
        encoding: 'utf8',
      })
      expect(signal).toBe('SIGKILL')
      for (const line of stdout.split('\n').slice(0, -1)) {
        const [stream, revision] = line.split(' ')
        acknowledged.set(stream!, Math.max(Number(revision), acknowledged.get(stream!) ?? -1))
      }
    }
    expect(acknowledged.size).toBeGreaterThan(0)
    const db = new DatabaseSync(file())
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    for (const [stream, revision] of acknowledged) {
      const rows = db
        .prepare(
          'SELECT e.revision, e.id FROM events e JOIN streams s ON s.id = e.stream_id WHERE s.name = ? ORDER BY 1',
        )
        .all(stream) as { revision: number; id: string }[]
      expect(rows.length).toBeGreaterThan(revision)
      expect(rows.map((row) => row.revision)).toEqual(rows.map((_, i) => i))
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    }
    db.close()
  })
})
