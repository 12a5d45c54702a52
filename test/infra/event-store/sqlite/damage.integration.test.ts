import { closeSync, copyFileSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as either from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { openSqliteEventStore } from '../../../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../../../infra/sqlite/database.ts'
import type { RecordedEvent } from '../../../../src/domain/kernel/event.ts'
import type { EventStore } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { runs } from '../../../runs.ts'

const pageSize = 4096

/** Each damages a page: 64 bytes at a place in it. */
const Hit = fc.record({
  page: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  at: fc.nat(pageSize - 64),
  bytes: fc.uint8Array({ minLength: 64, maxLength: 64 }),
})

const withStore = async <A>(
  file: string,
  use: (store: EventStore, sql: (text: string) => void) => Promise<A>,
) => {
  const db = openDatabase(file)
  try {
    return await use(openSqliteEventStore(db), (text) => db.writer.exec(text))
  } finally {
    await db.close()
  }
}

/** A log with streams of all kinds: short and long, small events and large ones, one that keeps the latest alone. */
const fill = (file: string, events: number) =>
  withStore(file, async (store) => {
    await store.keepLatest('duty-a', 20)()
    const appends = Array.from({ length: events }, (_, n) => {
      const stream = n % 40 === 0 ? 'duty-a' : `item-${(n * 7919) % (events >> 2)}`
      return store.append(stream, 'any', [event('Happened', { n, text: 'x'.repeat((n * 37) % 1500) })])()
    })
    await Promise.all(appends)
    await store.append('duty-b', 'none', [event()])()
  })

/** All events; undefined where an error is told. */
const readAll = async (store: EventStore): Promise<readonly RecordedEvent[] | undefined> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const page = await store.readAll(after, {}, 1000)()
    if (either.isLeft(page)) return undefined
    events.push(...page.right.events)
    if (page.right.caughtUp) return events
    after = page.right.position
  }
}

const damageOf = async (store: EventStore): Promise<string | undefined> => {
  const found = await store.damage()()
  return either.isLeft(found) ? found.left.reason : found.right
}

describe('a damaged file', () => {
  it.each([
    [1, 300],
    [70, 60],
  ])('property: %i pages hit: all events come, or damage is told', async (hits, copies) => {
    const { folder } = useFolder()
    const sound = join(folder, 'sound.db')
    const file = join(folder, 'damaged.db')
    await fill(sound, 3000)
    const whole = await withStore(sound, readAll)
    expect(await withStore(sound, damageOf)).toBeUndefined()
    await fc.assert(
      fc.asyncProperty(fc.array(Hit, { minLength: hits, maxLength: hits }), async (places) => {
        for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
        copyFileSync(sound, file)
        const pages = Math.floor(statSync(file).size / pageSize)
        const open = openSync(file, 'r+')
        // The first page names the tables: without it nothing opens.
        for (const { page, at, bytes } of places)
          writeSync(open, bytes, 0, bytes.length, (1 + Math.floor(page * (pages - 1))) * pageSize + at)
        closeSync(open)
        const read = await withStore(file, async (store) => {
          const events = await readAll(store)
          return (await damageOf(store)) === undefined ? events : undefined
        }).catch(() => undefined)
        if (read) expect(read.map(({ id }) => id)).toEqual(whole?.map(({ id }) => id))
      }),
      { numRuns: runs(copies), seed: 12 },
    )
  })
})

it('a log above the given size is not looked through; a large one is, by a thread', async () => {
  const file = join(useFolder().folder, 'fonds.db')
  await fill(file, 14_000)
  await withStore(file, async (store, exec) => {
    exec(
      'DROP TRIGGER events_never_go; DELETE FROM events WHERE position = 7; PRAGMA wal_checkpoint(TRUNCATE)',
    )
    expect(statSync(file).size).toBeGreaterThan(9_000_000)
    expect(await store.damage(1_000_000)()).toEqual(either.right(undefined))
    expect(await damageOf(store)).toMatch(/1 events of 1 streams are missing/)
  })
})

it('a log of many streams is looked through in one go: each stream beside each would take hours', async () => {
  const file = join(useFolder().folder, 'fonds.db')
  await withStore(file, async (store, exec) => {
    exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
      INSERT INTO streams (id, name, category, revision) SELECT i, 'item-' || i, 'item', 0 FROM n;
      INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata)
        SELECT id, 0, name, 'Happened', 0, '{}', '{}' FROM streams WHERE id != 7;
    `)
    expect(await damageOf(store)).toMatch(/1 events of 1 streams are missing \(1 of item-7\)/)
  })
})

describe('what is missing is counted', () => {
  const damaging = async (sql: string) => {
    const file = join(useFolder().folder, 'fonds.db')
    await fill(file, 400)
    return withStore(file, async (store, exec) => {
      exec(`DROP TRIGGER events_never_go; DROP TRIGGER events_never_change; ${sql}`)
      return damageOf(store)
    })
  }

  it('events that are gone, by stream', async () => {
    const told = await damaging(
      "DELETE FROM events WHERE revision < 2 AND stream_id IN (SELECT id FROM streams WHERE name IN ('item-1', 'item-19'))",
    )
    expect(told).toMatch(
      /fonds\.db is damaged: 4 events of 2 streams are missing \(2 of item-19, 2 of item-1\)\. Stop Fonds and put a backup/,
    )
  })
  it('events that were given to another stream', async () => {
    expect(
      await damaging(
        'UPDATE events SET stream_id = 999999 WHERE position IN (SELECT max(position) FROM events)',
      ),
    ).toMatch(/1 events of 1 streams are missing \(1 of duty-b\); 1 events belong to no known stream/)
  })
  it('a stream whose name is lost', async () => {
    expect(await damaging("DELETE FROM streams WHERE name = 'item-3'")).toMatch(
      /\d events belong to no known stream/,
    )
  })
  it('the last event of a stream that keeps the latest alone', async () => {
    expect(
      await damaging(
        "DELETE FROM events WHERE revision = 9 AND stream_id = (SELECT id FROM streams WHERE name = 'duty-a')",
      ),
    ).toMatch(/1 of duty-a/)
  })
  it('a stream is not read with a gap', async () => {
    const file = join(useFolder().folder, 'fonds.db')
    await fill(file, 400)
    await withStore(file, async (store, exec) => {
      exec(
        "DROP TRIGGER events_never_go; DELETE FROM events WHERE revision = 2 AND stream_id = (SELECT id FROM streams WHERE name = 'item-1')",
      )
      const damaged = either.left({
        kind: 'Unavailable',
        reason: expect.stringMatching(/is damaged: events of stream item-1 are missing/),
      })
      expect(await store.read('item-1', 'start', 'forward', 1000)()).toEqual(damaged)
      expect(await store.read('item-1', 'end', 'backward', 1000)()).toEqual(damaged)
      expect(await store.read('item-1', 'start', 'forward', 2)()).toMatchObject(either.right([{}, {}]))
      expect(await store.read('duty-a', 'start', 'forward', 2)()).toMatchObject(either.right([{}, {}]))
    })
  })
})

it('what was let go is not missed: the oldest of a stream that kept the latest alone, and of one whose rule is gone', async () => {
  const file = join(useFolder().folder, 'fonds.db')
  await fill(file, 400)
  await withStore(file, async (store) => {
    await store.keepLatest('house-a', 2)()
    for (let n = 0; n < 5; n++) await store.append('house-a', 'any', [event()])()
    await store.keepLatest('house-a', 4)()
    for (const rules of [{ $maxCount: 2 }, {}]) {
      await store.append('$$ruled-a', 'any', [event('$metadata', rules)])()
      for (let n = 0; n < 5; n++) await store.append('ruled-a', 'any', [event()])()
    }
    expect(await store.read('ruled-a', 'start', 'forward', 99)()).toMatchObject(
      either.right(Array.from({ length: 7 }, (_, n) => ({ revision: BigInt(n + 3) }))),
    )
    await store.deleteStream('item-1', 'any', 'soft')()
    await store.deleteStream('item-2', 'any', 'tombstone')()
    await store.deleteStream('never', 'any', 'tombstone')()
    expect(await damageOf(store)).toBeUndefined()
    expect(await store.read('house-a', 'start', 'forward', 9)()).toMatchObject(either.right([{}, {}]))
  })
})
