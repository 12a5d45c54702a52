import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { describe, expect, it } from 'vitest'
import { copiedMetadata, ownMetadata } from '../../../src/domain/kernel/proof/own-metadata.ts'
import { asBytes, type StoredBytes, type StoredContent } from '../../../src/domain/kernel/stored-event.ts'
import type { EventBytes, EventFilter, EventStore } from '../../../src/ports/event-store.ts'
import { event } from '../new-event.ts'
import { type EventStoreFixture, readAll, some } from './fixture.ts'

const ours = '{"actor":"ada","causationId":"a","correlationId":"b","schema":1}'
const content = (data: StoredBytes, metadata: StoredBytes = ours, isJson = true): StoredContent => ({
  ...{ id: uuid(), type: 'Copied', data, metadata, isJson },
})
const foreign: readonly (readonly [string, StoredContent])[] = [
  ['an event of ours', content('{"a":1}')],
  ['bytes that are no text', content(Uint8Array.of(0, 255, 10), ours, false)],
  ['no data', content('', ours, false)],
  ['JSON that was not declared as JSON', content('{"a":[1]}', ours, false)],
  ['metadata of another program', content('null', '{"user": 7}')],
  ['no metadata', content('7', '')],
  ['metadata that are no object', content('"x"', '[1]')],
  ['metadata that are no text', content('[]', Uint8Array.of(255))],
]
const hex = (bytes: StoredBytes) => Buffer.from(asBytes(bytes)).toString('hex')

const readStored = async (store: EventStore, filter: EventFilter = {}, limit = 7) => {
  const events = []
  for (let after = -1n; ; ) {
    const batch = await store.readStored(after, filter, limit)()
    if (either.isLeft(batch)) throw new Error('unreadable')
    events.push(...batch.right.events)
    if (batch.right.caughtUp) return events
    after = batch.right.position
  }
}

export const stored = (fixture: EventStoreFixture) => {
  const { appended } = fixture

  describe('stored bytes (Q11)', () => {
    it('stand beside the same places, ids, types and times as ordinary reads have', async () => {
      const { store, stream } = fixture.now()
      await appended('any', some(9))
      await appended('any', [event('Other')], `${stream}-2`)
      const places = (events: readonly object[]) =>
        events.map((one) => ({ ...one, data: 0, metadata: 0, isJson: 0 }))
      expect(places(await readStored(store))).toEqual(places(await readAll(store)))
      expect(await readStored(store, { types: ['Other'] })).toHaveLength(1)
      expect(await readStored(store, { categories: ['nobody'] })).toEqual([])
    })

    it('come with the events that ordinary reads have, page by page', async () => {
      const { store, stream } = fixture.now()
      await appended('any', some(9))
      await appended('any', [event('Other')], `${stream}-2`)
      for (const one of foreign) {
        const metadata = copiedMetadata({ metadata: one[1].metadata, recordedAt: '1999-12-31T23:59:59.999Z' })
        await store.appendStored(`${stream}-copied`, 'any', [{ ...one[1], id: uuid(), metadata }])()
      }
      const events = []
      const bytes = []
      for (let after = -1n, isEnd = false; !isEnd; ) {
        const batch = await store.readWithBytes(after, {}, 7)()
        if (either.isLeft(batch)) throw new Error('unreadable')
        events.push(...batch.right.events)
        bytes.push(...batch.right.bytes)
        after = batch.right.position
        isEnd = batch.right.caughtUp
      }
      const hexes = (all: readonly EventBytes[]) =>
        all.map(({ data, metadata }) => [hex(data), hex(metadata)])
      expect(events).toHaveLength(10 + foreign.length)
      expect(events).toEqual(await readAll(store))
      expect(hexes(bytes)).toEqual(hexes(await readStored(store)))
      expect(await store.readWithBytes(-1n, { types: ['Other'] }, 7)()).toMatchObject({
        right: { events: [{ type: 'Other' }], bytes: [{ metadata: expect.anything() }] },
      })
    })

    it('are the JSON text that was given, or that was made of the data', async () => {
      const { store } = fixture.now()
      const made = event('Made', { text: 'ä\n\u2028\u0000', list: [1.5, null] })
      const given = { ...event('Given', { a: 1 }), json: '{"a":1}' }
      await appended('none', [made, given])
      const [first, second] = await readStored(store)
      expect([first?.data, second?.data].map((data) => hex(data!))).toEqual([
        hex(JSON.stringify(made.data)),
        hex('{"a":1}'),
      ])
      expect(first?.isJson).toBe(true)
      expect(hex(ownMetadata(first!))).toBe(hex(JSON.stringify(made.metadata)))
    })

    it.each(foreign)('are appended as another log held them: %s', async (_, one) => {
      const { store, stream } = fixture.now()
      const recordedAt = '1999-12-31T23:59:59.999Z'
      const metadata = copiedMetadata({ metadata: one.metadata, recordedAt })
      const appendOne = store.appendStored(stream, 'none', [{ ...one, metadata }])
      expect(either.isRight(await appendOne())).toBe(true)
      // A repeat finds it.
      expect(either.isRight(await appendOne())).toBe(true)
      const events = await readStored(store)
      expect(events).toHaveLength(1)
      const found = events[0]!
      expect(found).toMatchObject({ id: one.id, type: one.type, stream, recordedAt, isJson: one.isJson })
      expect([hex(found.data), hex(ownMetadata(found))]).toEqual([hex(one.data), hex(one.metadata)])
      const [read] = await readAll(store)
      expect(read).toMatchObject({ id: one.id, stream, revision: found.revision, recordedAt })
    })

    it('are appended where the stream is expected to be, and nowhere else', async () => {
      const { store, stream } = fixture.now()
      await appended('none', some(2))
      expect(await store.appendStored(stream, 0n, [content('1')])()).toEqual(
        either.left({ kind: 'Conflict', stream, actual: 1n }),
      )
      expect(await store.appendStored(stream, 1n, [content('1'), content('2')])()).toMatchObject({
        right: { revision: 3n },
      })
      expect((await store.appendStored('', 'any', [content('1')])())._tag).toBe('Left')
    })
  })
}
