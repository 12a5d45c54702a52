import * as either from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventStore, StreamMetadata } from '../../../src/ports/event-store.ts'
import { type EventStoreFixture, readAll, some } from './fixture.ts'

export const streams = (fixture: EventStoreFixture) => {
  const { append, appended, read, conflict, deleted, nameStream } = fixture

  describe('keeping only the latest', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    it.each(['before', 'after'])(
      'set %s the stream is written: its newest events stay, revisions go on',
      async (when) => {
        const keep = async () => expect(either.isRight(await store.keepLatest(stream, 2)())).toBe(true)
        if (when === 'before') await keep()
        await appended('none', some(3))
        if (when === 'after') await keep()
        await appended(2n, some(2))
        expect((await read()).map((e) => e.revision)).toEqual([3n, 4n])
        expect((await read('end', 'backward', 1)).map((e) => e.revision)).toEqual([4n])
        expect((await appended(4n, some(1))).revision).toBe(5n)
      },
    )
  })

  describe('keeping the latest of what has none, and none at all', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    it('0: all that are there stay, and all that come', async () => {
      await appended('none', some(3))
      expect(await store.keepLatest(stream, 0)()).toEqual(either.right(undefined))
      await appended(2n, some(2))
      expect((await read()).map((e) => e.revision)).toEqual([0n, 1n, 2n, 3n, 4n])
      expect(await store.metadata(stream)()).toEqual(either.right({}))
    })
    it('0 after a rule: what comes from then on stays', async () => {
      await appended('none', some(3))
      await store.keepLatest(stream, 2)()
      await appended(2n, some(1))
      await store.keepLatest(stream, 0)()
      await appended(3n, some(2))
      expect((await read()).map((e) => e.revision).slice(-4)).toEqual([2n, 3n, 4n, 5n])
      expect(await store.metadata(stream)()).toEqual(either.right({}))
    })
    it('of a tombstoned stream: nothing changes', async () => {
      await appended('none', some(3))
      await store.setMetadata(stream, { owner: 'Ada' })()
      await store.deleteStream(stream, 'any', 'tombstone')()
      for (const count of [0, 2])
        expect(await store.keepLatest(stream, count)()).toEqual(either.right(undefined))
      expect(await store.read(stream, 'start', 'forward', 1)()).toEqual(deleted())
      expect(await store.metadata(stream)()).toEqual(either.right({}))
    })
    it('of a soft-deleted stream: it stays deleted', async () => {
      await appended('none', some(3))
      await store.deleteStream(stream, 'any', 'soft')()
      expect(await store.keepLatest(stream, 5)()).toEqual(either.right(undefined))
      expect(await read()).toEqual([])
    })
  })

  describe('deleting', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    it.each(['any', 'none', 'exists', 0n] as const)(
      'soft, %s, what never was: conflict',
      async (expected) => {
        expect(await store.deleteStream(stream, expected, 'soft')()).toEqual(conflict('none'))
        expect((await appended('none', some(1))).revision).toBe(0n)
      },
    )
    it.each(['any', 'none', 1n] as const)('soft, %s, again: success', async (expected) => {
      await appended('none', some(2))
      await store.deleteStream(stream, 1n, 'soft')()
      expect(await store.deleteStream(stream, expected, 'soft')()).toEqual(either.right(undefined))
      expect(await read()).toEqual([])
      expect((await appended(1n, some(1))).revision).toBe(2n)
      expect((await read()).map((e) => e.revision)).toEqual([2n])
    })
    it('soft, again, at another revision: conflict; what exists: StreamDeleted', async () => {
      await appended('none', some(2))
      await store.deleteStream(stream, 1n, 'soft')()
      expect(await store.deleteStream(stream, 0n, 'soft')()).toEqual(conflict(1n))
      expect(await store.deleteStream(stream, 'exists', 'soft')()).toEqual(deleted())
      expect(await store.deleteStream(stream, 'exists', 'tombstone')()).toEqual(deleted())
    })
    it.each(['none', 0n] as const)(
      'soft or a tombstone, %s, of another revision: conflict',
      async (expected) => {
        await appended('none', some(2))
        for (const mode of ['soft', 'tombstone'] as const)
          expect(await store.deleteStream(stream, expected, mode)()).toEqual(conflict(1n))
        expect(await read()).toHaveLength(2)
      },
    )
    it.each(['any', 'none'] as const)(
      'a tombstone, %s, of what never was: no stream ever',
      async (expected) => {
        expect(await store.deleteStream(stream, expected, 'tombstone')()).toEqual(either.right(undefined))
        expect(await append('none', some(1))).toEqual(deleted())
        for (const mode of ['soft', 'tombstone'] as const)
          expect(await store.deleteStream(stream, 'any', mode)()).toEqual(deleted())
      },
    )
    it('a tombstone of what never was at a revision: conflict', async () => {
      expect(await store.deleteStream(stream, 0n, 'tombstone')()).toEqual(conflict('none'))
    })
    it('a tombstone of a soft-deleted stream: no stream ever', async () => {
      await appended('none', some(2))
      await store.deleteStream(stream, 1n, 'soft')()
      expect(await store.deleteStream(stream, 'any', 'tombstone')()).toEqual(either.right(undefined))
      expect(await append('any', some(1))).toEqual(deleted())
    })
  })

  describe('metadata of a stream', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    const said = async () => {
      const found = await store.metadata(stream)()
      return either.isRight(found) ? found.right : found.left
    }
    const say = (metadata: StreamMetadata) => store.setMetadata(stream, metadata)()

    it('are none at first, then what was said last, whole', async () => {
      await appended('none', some(1))
      expect(await said()).toEqual({})
      const acl = { $r: ['$all'], $w: 'depositors' }
      expect(await say({ $maxAge: 3600, $acl: acl, owner: 'Ada 🜁' })).toEqual(either.right(undefined))
      expect(await said()).toEqual({ $maxAge: 3600, $acl: acl, owner: 'Ada 🜁' })
      await say({ owner: 'Grace' })
      expect(await said()).toEqual({ owner: 'Grace' })
      expect((await read()).map((e) => e.revision)).toEqual([0n])
    })

    it('$maxCount is kept to', async () => {
      await say({ $maxCount: 2 })
      await appended('none', some(5))
      expect((await read()).map((e) => e.revision)).toEqual([3n, 4n])
      expect(await said()).toEqual({ $maxCount: 2 })
    })

    it('a tombstoned stream takes none', async () => {
      await appended('none', some(1))
      await store.deleteStream(stream, 'any', 'tombstone')()
      expect(await say({ owner: 'Ada' })).toMatchObject(either.left({ kind: 'StreamDeleted' }))
    })
  })

  describe('removing', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })
    const scavenged = async (...streams: string[]) =>
      expect(await store.scavenge?.(streams.map((stream) => ({ stream, before: 99n })))()).toEqual(
        store.scavenge && either.right(undefined),
      )
    const inLog = async () =>
      (await readAll(store, { categories: [stream.split('-', 1)[0]!] }))
        .filter((e) => e.stream === stream)
        .map((e) => e.revision)

    it('the part before a revision: the rest stays, revisions go on, other metadata stay', async () => {
      await appended('none', some(5))
      await store.setMetadata(stream, { owner: 'Ada', $tb: 3 })()
      await scavenged(stream, `${stream}-never`)
      expect((await read()).map((e) => e.revision)).toEqual([3n, 4n])
      expect((await read('end', 'backward', 9)).map((e) => e.revision)).toEqual([4n, 3n])
      expect((await appended(4n, some(1))).revision).toBe(5n)
      expect(await store.metadata(stream)()).toEqual(either.right({ owner: 'Ada', $tb: 3 }))
      await scavenged(stream)
      if (store.scavenge) expect(await inLog()).toEqual([3n, 4n, 5n])
      expect(await store.damage()()).toEqual(either.right(undefined))
    })

    it('a whole stream, softly: it may be written again, as one that never was', async () => {
      await appended('none', some(2))
      await store.deleteStream(stream, 1n, 'soft')()
      await scavenged(stream)
      expect(await read()).toEqual([])
      if (store.scavenge) expect(await inLog()).toEqual([])
      expect(await store.damage()()).toEqual(either.right(undefined))
      expect((await appended('none', some(2))).revision).toBe(3n)
      await scavenged(stream)
      expect((await read()).map((e) => e.revision)).toEqual([2n, 3n])
      expect(await store.damage()()).toEqual(either.right(undefined))
    })

    it('nothing that was not named, though the stream does not show it', async () => {
      await appended('none', some(5))
      await store.setMetadata(stream, { $tb: 4 })()
      expect(await store.scavenge?.([{ stream, before: 2n }])()).toEqual(
        store.scavenge && either.right(undefined),
      )
      expect((await read()).map((e) => e.revision)).toEqual([4n])
      if (store.scavenge) expect(await inLog()).toEqual([2n, 3n, 4n])
      expect(await store.damage()()).toEqual(either.right(undefined))
    })

    it('nothing of a stream that shows all of it', async () => {
      await appended('none', some(2))
      await scavenged(stream)
      expect(await inLog()).toEqual([0n, 1n])
      expect(await store.metadata(stream)()).toEqual(either.right({}))
    })
  })

  describe('streams may be named after any path', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

    it.each([
      'a b%20c.tif',
      '../é/ü',
      '日本語/🜁',
      '$money',
      'line\nbreak \u202e bidi',
      'ends in space ',
      'x'.repeat(4096),
      '日'.repeat(4096),
    ])('%#', async (path) => {
      stream = nameStream(`contract-main/${path}`)
      await appended('none', some(2))
      expect((await read()).map((e) => e.stream)).toEqual([stream, stream])
      const all = await readAll(store, { categories: ['contract'] })
      expect(all.filter((e) => e.stream === stream)).toHaveLength(2)
      expect(await append(5n, some(1))).toEqual(conflict(1n))
      expect(await store.deleteStream(stream, 5n, 'soft')()).toEqual(conflict(1n))
      expect(await store.deleteStream(stream, 5n, 'tombstone')()).toEqual(conflict(1n))
      expect(either.isRight(await store.keepLatest(stream, 5)())).toBe(true)
      expect(either.isRight(await store.deleteStream(stream, 1n, 'soft')())).toBe(true)
      await appended(1n, some(1))
      expect(either.isRight(await store.deleteStream(stream, 2n, 'tombstone')())).toBe(true)
      expect(await append('any', some(1))).toEqual(deleted())
      expect(await store.read(stream, 'start', 'forward', 1)()).toEqual(deleted())
    })
  })
}
