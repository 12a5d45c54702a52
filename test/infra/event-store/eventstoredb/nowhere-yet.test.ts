import * as either from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { EventFilter } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { versions } from '../../../fixtures/eventstoredb-record.ts'
import { useRecorded } from './recorded/use-recorded.ts'

/* EventStoreDB 24.10 says a checkpoint at 2^64−1 where a filtered subscription has come to the end and nothing passed. */

describe.each(versions)('a position that no log can have moves nobody (%s)', (version) => {
  it.each<[string, number, EventFilter]>([
    ['an empty log', 0, {}],
    ['an empty log, with a filter', 0, { types: ['Wanted'] }],
    ['a log of which nothing passes', 5, { types: ['Wanted'] }],
    ['a log of which no category passes', 5, { categories: ['w'] }],
  ])('%s', async (_, others, filter) => {
    const { store, direct } = await useRecorded(version)
    for (let n = 0; n < others; n++) await direct.append(`a-${n}`, 'none', [event('Other')])()
    const head = await store.head()()
    const abort = new AbortController()
    const positions: bigint[] = []
    const seen: string[] = []
    for await (const batch of store.subscribe(-1n, filter, abort.signal)) {
      positions.push(batch.position)
      seen.push(...batch.events.map(({ type }) => type))
      if (batch.caughtUp && seen.length === 0) await direct.append('w-1', 'any', [event('Wanted')])()
      if (seen.includes('Wanted')) abort.abort()
    }
    expect(seen).toEqual(['Wanted'])
    expect(positions[0]! <= (either.isRight(head) ? head.right : -1n)).toBe(true)
    expect(positions.every((position) => position < 100_000n)).toBe(true)
  })
})
