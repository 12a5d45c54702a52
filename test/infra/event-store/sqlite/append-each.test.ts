import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { type Database, openDatabase } from '#infra/sqlite/database.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { EventStore, StreamAppend } from '#src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'

let folder: string
let db: Database
let store: EventStore
let now = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-each-'))
  db = openDatabase(join(folder, 'x.db'), { pollMillis: 5 })
  store = openSqliteEventStore(db, { maxAppendSize: 2000, clock: () => ++now })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const appendEach = async (...appends: readonly StreamAppend[]) => {
  const answer = await store.appendEach!(appends)()
  if (isLeft(answer)) throw new Error(answer.left.reason)
  return answer.right.map((one) => (isLeft(one) ? one.left.kind : Number(one.right.revision)))
}

const all = async () => {
  const read = await store.readAll(-1n, {}, 100_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}

const one = (
  stream: string,
  expected: StreamAppend['expected'] = 'none',
  ...events: StreamAppend['events']
) => ({
  stream,
  expected,
  events: events.length > 0 ? events : [event()],
})

it('each is written or fails by itself, in one transaction and at one time', async () => {
  let commits = 0
  db.onChange(() => commits++)
  const answers = await appendEach(
    one('a-1', 'none', event(), event()),
    one('b-1', 7n),
    one('c-1', 'none', event('Happened', 'x'.repeat(3000))),
    one(''),
    one('d-1', 'any'),
  )
  expect(answers).toEqual([1, 'Conflict', 'TooLarge', 'Refused', 0])
  expect(commits).toBe(1)
  const events = await all()
  expect(events.map(({ stream }) => stream)).toEqual(['a-1', 'a-1', 'd-1'])
  expect(new Set(events.map(({ recordedAt }) => recordedAt)).size).toBe(1)
})

it('what was written before is found again, and what is new beside it is written', async () => {
  const [known, also] = [event(), event()]
  await appendEach(one('a-1', 'none', known), one('b-1', 'none', event(), also))
  expect(await appendEach(one('a-1', 'none', known), one('b-1', 1n, also), one('c-1'))).toEqual([0, 1, 0])
  expect(await all()).toHaveLength(4)
})

describe('who follows the log', () => {
  const ready = (amount: number) => {
    const one = event('Happened', { amount })
    return { ...one, json: JSON.stringify(one.data) }
  }
  const following = async (append: () => Promise<unknown>): Promise<readonly RecordedEvent[]> => {
    const stop = new AbortController()
    const seen: RecordedEvent[] = []
    for await (const { events, position } of store.subscribe(-1n, {}, stop.signal)) {
      seen.push(...events)
      if (position < 0n) await append()
      else stop.abort()
    }
    return seen
  }

  it('gets what this process wrote as a reader gets it, whatever was written beside it', async () => {
    const known = ready(1)
    const seen = await following(async () => {
      await appendEach(one('a-1', 'none', known), one('b-1', 'none', ready(2), ready(3)))
      await appendEach(one('a-1', 'none', known), one('$c', 'none', ready(4)), one('d-1', 'none', ready(5)))
      await appendEach(one('e-1', 7n, ready(6)), one('f-1', 'none', ready(7)), one('g-1'))
      await appendEach(one('a-1', 0n, ready(8)))
    })
    expect(seen).toEqual(await all())
    expect(seen).toHaveLength(7)
  })

  it('is spared the reading of it', async () => {
    let parsed = 0
    const parse = vi.spyOn(JSON, 'parse').mockImplementation((...input) => {
      parsed++
      return parseJson(...input)
    })
    const seen = await following(() =>
      appendEach(one('a-1', 'none', ready(1), ready(2)), one('b-1', 'none', ready(3))),
    )
    parse.mockRestore()
    expect(seen).toHaveLength(3)
    expect(parsed).toBe(0)
  })
})

const parseJson = JSON.parse

it('none at all is no failure', async () => {
  expect(await appendEach()).toEqual([])
})

it('a closed log is unavailable', async () => {
  await store.close()
  expect(await store.appendEach!([one('a-1')])()).toMatchObject({ left: { kind: 'Unavailable' } })
})
