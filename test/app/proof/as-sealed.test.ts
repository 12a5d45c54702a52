import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAsSealed } from '#src/app/proof/check/as-sealed.ts'
import type { BatchWithBytes, EventFilter } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

let folder: string
let eventStore: ReturnType<typeof fakeEventStore>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-as-sealed-'))
  eventStore = fakeEventStore()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const appended = await eventStore.append(`${n % 5 === 4 ? 'b' : 'a'}-${n % 7}`, 'any', [
      event('T', { n }),
    ])()
    if (isLeft(appended)) throw new Error('not written')
  }
}
const page = async (after: bigint, filter: EventFilter, limit: number): Promise<BatchWithBytes> => {
  const read = await eventStore.readWithBytes(after, filter, limit)()
  if (isLeft(read)) throw new Error('unreadable')
  return read.right
}
const begin = (filter: EventFilter, size: bigint) =>
  createAsSealed({ eventStore, files: proofLogIn(folder), filter }, { size })
const changed = ({ bytes, ...rest }: BatchWithBytes, at: number): BatchWithBytes => ({
  ...rest,
  bytes: bytes.with(at, { ...bytes[at]!, data: '{"n":"forged"}' }),
})

it.each<[string, EventFilter]>([
  ['the whole log', {}],
  ['one category', { categories: ['b'] }],
])('compares %s as it is taken, a tree that grows meanwhile, and what nobody took', async (_, filter) => {
  await write(600)
  await sealAll(folder, eventStore)
  const log = begin(filter, 600n)
  const first = await page(-1n, filter, 40)
  await log.take(-1n, first)
  // Overlapping, and behind a part that another process folded.
  await log.take(-1n, await page(-1n, filter, 60))
  const far = await page(299n, filter, 20)
  await log.take(299n, far)
  await write(300)
  await sealAll(folder, eventStore)
  await log.take(599n, await page(599n, filter, 10))
  await write(3)
  expect(await log.end(900n)).toBe(true)
})

it('finds what differs in the bytes that were folded, though the log has the right ones again', async () => {
  await write(600)
  await sealAll(folder, eventStore)
  const log = begin({}, 600n)
  await log.take(-1n, changed(await page(-1n, {}, 600), 400))
  expect(await log.end(600n)).toBe(false)
  const same = begin({}, 600n)
  await same.take(-1n, await page(-1n, {}, 600))
  expect(await same.end(600n)).toBe(true)
})

it('finds an event that is missing in what was folded', async () => {
  await write(600)
  await sealAll(folder, eventStore)
  const log = begin({}, 600n)
  const { events, bytes, ...rest } = await page(-1n, {}, 600)
  await log.take(-1n, { ...rest, events: events.toSpliced(599, 1), bytes: bytes.toSpliced(599, 1) })
  expect(await log.end(600n)).toBe(false)
})
