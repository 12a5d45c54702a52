import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../../src/ports/event-store.ts'
import { event } from '../new-event.ts'
import { type EventStoreFixture, readAll, some } from './fixture.ts'

export const reading = (fixture: EventStoreFixture) => {
  const { appended, read } = fixture

  describe('reading', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    it('a missing stream reads as empty', async () => expect(await read()).toEqual([]))

    it('gives back what was written, byte for byte', async () => {
      const odd = {
        text: 'line\nbreak \u202e bidi \u0000 nul 🜁',
        nested: [1.5, null, { deep: true }],
        empty: '',
      }
      const written = event('Odd', odd)
      await appended('none', [written])
      const [found] = await read()
      expect(found).toMatchObject({ ...written, stream, revision: 0n })
      expect(found?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })
    it('forward and backward, from anywhere, with a limit', async () => {
      await appended('none', some(10))
      const revisions = async (...args: Parameters<typeof read>) =>
        (await read(...args)).map((e) => Number(e.revision))
      expect(await revisions(3n, 'forward', 3)).toEqual([3, 4, 5])
      expect(await revisions(3n, 'backward', 3)).toEqual([3, 2, 1])
      expect(await revisions('end', 'backward', 2)).toEqual([9, 8])
      expect(await revisions(20n, 'forward')).toEqual([])
      expect(await revisions(20n, 'backward', 1)).toEqual([9])
    })
    it('all: positions grow, times never fall, nothing is missing', async () => {
      for (const suffix of ['a', 'b', 'a', 'c']) await appended('any', some(2), stream + suffix)
      const events = await readAll(store)
      expect(events.length).toBeGreaterThanOrEqual(8)
      for (const [i, e] of events.entries()) {
        const previous = events[i - 1]
        if (!previous) continue
        expect(e.position > previous.position).toBe(true)
        expect(e.recordedAt >= previous.recordedAt).toBe(true)
      }
    })
    it('all, back: the newest first, and on from there', async () => {
      const { position } = await appended('any', some(5))
      const back = async (before: bigint | 'end', limit: number) => {
        const found = await store.readBack(before, limit)()
        if (either.isLeft(found)) throw new Error('unreadable')
        return found.right
      }
      const newest = await back('end', 3)
      expect(newest[0]?.position).toBe(position)
      expect(newest.map((e) => e.revision)).toEqual([4n, 3n, 2n])
      expect((await back(newest.at(-1)!.position, 2)).map((e) => e.revision)).toEqual([1n, 0n])
    })
    it('names itself, to everybody the same', async () => {
      const other = await fixture.now().under.other()
      const [here, there] = await Promise.all([store.identity()(), other.identity()()])
      expect(either.isRight(here)).toBe(true)
      expect(there).toEqual(here)
    })
    it('all: filters by category and type', async () => {
      await appended('any', [event('Red'), event('Blue')], `${stream}1`)
      await appended('any', [event('Red')], `other-${stream}`)
      const types = async (filter: EventFilter) =>
        (await readAll(store, filter)).map((e) => `${e.stream.split('-')[0]}:${e.type}`)
      expect(await types({ categories: ['contract'] })).toEqual(['contract:Red', 'contract:Blue'])
      expect(await types({ types: ['Red'] })).toEqual(['contract:Red', 'other:Red'])
      expect(await types({ categories: ['other'], types: ['Blue'] })).toEqual([])
    })
  })

  it('all: what is rare or not there at all is looked for a stretch at a time', async () => {
    const { store } = fixture.now()
    for (let i = 0; i < 25; i++) await appended('any', some(500))
    await appended('any', [event('Rare')])
    const looks: (readonly [found: number, caughtUp: boolean])[] = []
    for (let after = -1n; ; ) {
      const page = await store.readAll(after, { types: ['Rare'] }, 1000)()
      if (either.isLeft(page)) throw new Error('unreadable')
      expect(page.right.position > after).toBe(true)
      after = page.right.position
      looks.push([page.right.events.length, page.right.caughtUp])
      if (page.right.caughtUp) break
    }
    expect(looks.length).toBeGreaterThan(1)
    expect(looks[0]).toEqual([0, false])
    expect(looks.at(-1)).toEqual([1, true])
    expect(await turnsBetweenBatches(store, { types: ['Rare'] })).toBeGreaterThan(0)
  })

  it("the server's own events ($…) are hidden, and looked past", async () => {
    const { store, stream } = fixture.now()
    const metadata = event('$metadata', { $maxCount: 100 })
    await appended('none', some(1))
    await appended('any', [metadata], `$$${stream}`)
    await appended('any', [event('$own')], `${stream}-other`)
    await appended(0n, some(1))
    await appended('any', [{ ...metadata, id: uuid() }], `$$${stream}`)
    const all = await readAll(store)
    expect(all.map((e) => [e.stream, e.type])).toEqual([
      [stream, 'Tested'],
      [stream, 'Tested'],
    ])
    expect(await readAll(store, { types: ['$metadata', '$own'] })).toEqual([])
    expect(await readAll(store, { categories: [`$$${stream.split('-')[0]}`] })).toEqual([])
    expect(await store.readBack('end', 2)()).toEqual(either.right(all.toReversed()))
    const abort = new AbortController()
    const seen: RecordedEvent[] = []
    for await (const { events, caughtUp } of store.subscribe(-1n, {}, abort.signal)) {
      seen.push(...events)
      if (caughtUp) abort.abort()
    }
    expect(seen).toEqual(all)
  })
}

/** Turns that other work of the process has while a subscription passes over events, until it has caught up. */
const turnsBetweenBatches = async (store: EventStore, filter: EventFilter): Promise<number> => {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  onTestFinished(() => clearImmediate(next))
  const abort = new AbortController()
  let found = 0
  for await (const { events, caughtUp } of store.subscribe(-1n, filter, abort.signal)) {
    found += events.length
    if (caughtUp) abort.abort()
  }
  expect(found).toBe(1)
  return turns
}
