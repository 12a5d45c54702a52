import { setImmediate } from 'node:timers/promises'
import * as either from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../../src/ports/event-store.ts'
import { type EventStoreFixture, some } from './fixture.ts'

export const subscribing = (fixture: EventStoreFixture) => {
  const { appended } = fixture

  describe('subscribing', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    /** Collects until `enough`; resolves with the events. */
    const collect = async (
      from: EventStore,
      after: bigint,
      filter: EventFilter,
      enough: (events: RecordedEvent[]) => boolean,
    ) => {
      const abort = new AbortController()
      const events: RecordedEvent[] = []
      for await (const batch of from.subscribe(after, filter, abort.signal)) {
        events.push(...batch.events)
        if (enough(events)) abort.abort()
      }
      return events
    }

    it('says that nothing more was waiting, also where the last batch is full', async () => {
      await appended('any', some(1000))
      const abort = new AbortController()
      let seen = 0
      for await (const { events, caughtUp } of store.subscribe(-1n, {}, abort.signal)) {
        seen += events.length
        if (caughtUp) abort.abort()
      }
      expect(seen).toBe(1000)
    })

    it('catches up, then lives: every event once, in order', async () => {
      await appended('any', some(5))
      const done = collect(store, -1n, { categories: ['contract'] }, (events) => events.length >= 50)
      for (let i = 0; i < 45; i++) await appended('any', some(1))
      const events = await done
      expect(events.map((e) => Number(e.revision))).toEqual(Array.from({ length: 50 }, (_, i) => i))
    })
    it('resumes behind a position: exclusive', async () => {
      const { position } = await appended('any', some(3))
      await appended('any', some(2))
      const events = await collect(
        store,
        position,
        { categories: ['contract'] },
        (found) => found.length >= 2,
      )
      expect(events.map((e) => e.revision)).toEqual([3n, 4n])
    })
    it('tells that it is live, and how far it has looked past what the filter drops', async () => {
      const { position } = await appended('any', some(3))
      const abort = new AbortController()
      for await (const batch of store.subscribe(-1n, { types: ['Nothing'] }, abort.signal)) {
        expect(batch.events).toEqual([])
        if (!batch.caughtUp) continue
        expect(batch.position >= position).toBe(true)
        abort.abort()
      }
    })
    it('a slow reader loses nothing', async () => {
      const abort = new AbortController()
      const seen: number[] = []
      const writing = (async () => {
        for (let i = 0; i < 30; i++) await appended('any', some(100))
      })()
      for await (const batch of store.subscribe(-1n, { categories: ['contract'] }, abort.signal)) {
        for (let turn = 0; turn < 20; turn++) await setImmediate()
        seen.push(...batch.events.map((e) => Number(e.revision)))
        if (seen.length >= 3000) abort.abort()
      }
      await writing
      expect(seen).toEqual(Array.from({ length: 3000 }, (_, i) => i))
    })
    it('ends when aborted while waiting', async () => {
      const abort = new AbortController()
      const ended = (async () => {
        for await (const batch of store.subscribe(-1n, {}, abort.signal))
          if (batch.caughtUp) queueMicrotask(() => abort.abort())
        return 'ended'
      })()
      expect(await ended).toBe('ended')
    })
    it('sees what another process writes, and another process sees it', async () => {
      const other = await fixture.now().under.other()
      const here = collect(store, -1n, { categories: ['contract'] }, (events) => events.length >= 2)
      const there = collect(other, -1n, { categories: ['contract'] }, (events) => events.length >= 2)
      await appended('none', some(1))
      const result = await other.append(stream, 0n, some(1))()
      expect(either.isRight(result)).toBe(true)
      expect((await here).map((e) => e.revision)).toEqual([0n, 1n])
      expect((await there).map((e) => e.revision)).toEqual([0n, 1n])
    })
  })
}
