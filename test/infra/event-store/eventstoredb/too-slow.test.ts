import * as either from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventFilter } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { versions } from '../../../fixtures/eventstoredb-record.ts'
import { useRecorded } from './recorded/use-recorded.ts'

/*
 * 23.10 ends a subscription whenever more than some hundred events come at once; 24.10 says `fell_behind` and goes on from
 * the log. Who follows notices neither.
 */

const many = (count: number, type = 'Tested') => Array.from({ length: count }, () => event(type))

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
beforeEach(() => log.warn.mockClear())

describe.each(versions)('an append of more than a hundred events (%s)', (version) => {
  it.each<[string, EventFilter]>([
    ['everything', {}],
    ['a filter', { types: ['Wanted'] }],
  ])('is followed at once, as often as it happens: %s', async (_, filter) => {
    const { store, server } = await useRecorded(version, { log })
    const abort = new AbortController()
    const seen: bigint[] = []
    let appended = 0
    for await (const batch of store.subscribe(-1n, filter, abort.signal)) {
      seen.push(...batch.events.map(({ revision }) => revision))
      if (!batch.caughtUp || seen.length < appended) continue
      if (appended >= 2000) abort.abort()
      else {
        const done = await store.append('a-1', 'any', many(400, 'Wanted'))()
        expect(either.isRight(done)).toBe(true)
        appended += 400
      }
    }
    expect(seen.map(Number)).toEqual(Array.from({ length: 2000 }, (_, n) => n))
    // A pause is never without a warning.
    expect(log.warn).not.toHaveBeenCalled()
    // The server did end it where the record says so.
    const subscriptions = server.asked.length
    expect(version === '23.10.6' ? subscriptions >= 5 : subscriptions <= 4).toBe(true)
  })

  it('who catches up by a subscription of its own: the same', async () => {
    const { store } = await useRecorded(version, { log, recent: { maxEvents: 5, maxBytes: 1_000_000 } })
    const abort = new AbortController()
    const seen: bigint[] = []
    for await (const batch of store.subscribe(-1n, {}, abort.signal)) {
      seen.push(...batch.events.map(({ revision }) => revision))
      if (!batch.caughtUp) continue
      if (seen.length >= 1500) abort.abort()
      else await store.append('a-1', 'any', many(300))()
    }
    expect(seen.map(Number)).toEqual(Array.from({ length: 1500 }, (_, n) => n))
    expect(log.warn).not.toHaveBeenCalled()
  })
})
