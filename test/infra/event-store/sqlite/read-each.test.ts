import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import type { EventStore, StreamPlace } from '#src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'

let folder: string
let store: EventStore
const open = () => openSqliteEventStore(openDatabase(join(folder, 'x.db')))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-each-'))
  store = open()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const readEach = async (...places: readonly StreamPlace[]) => {
  const answer = await store.readEach!(places, 3)()
  if (isLeft(answer)) throw new Error(answer.left.reason)
  return answer.right
}

it('each is read as alone: from its place, a missing one as empty, a deleted one as a failure', async () => {
  for (const stream of ['a-1', 'b-1', 'c-1']) {
    const events = Array.from({ length: 5 }, () => event())
    await store.append(stream, 'none', events)()
  }
  await store.deleteStream('c-1', 'any', 'tombstone')()
  const places: readonly StreamPlace[] = [
    { stream: 'b-1', from: 4n },
    { stream: 'none-1', from: 'start' },
    { stream: 'a-1', from: 'start' },
    { stream: 'c-1', from: 'start' },
    { stream: 'a-1', from: 1n },
  ]
  const alone = await Promise.all(places.map(({ stream, from }) => store.read(stream, from, 'forward', 3)()))
  const read = await readEach(...places)
  expect(read).toEqual(alone)
  expect(read.map((one) => (isLeft(one) ? one.left.kind : one.right.length))).toEqual([
    1,
    0,
    3,
    'StreamDeleted',
    3,
  ])
  expect(await readEach()).toEqual([])
})

it('what another process has written is there', async () => {
  await store.append('a-1', 'none', [event()])()
  await readEach({ stream: 'a-1', from: 'start' })
  const other = open()
  await other.append('a-1', 0n, [event()])()
  await other.append('b-1', 'none', [event()])()
  await other.close()
  const read = await readEach({ stream: 'a-1', from: 'start' }, { stream: 'b-1', from: 'start' })
  expect(read.map((one) => (isLeft(one) ? one.left.kind : one.right.length))).toEqual([2, 1])
})
