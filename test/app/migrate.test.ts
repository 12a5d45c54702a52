import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../infra/event-store/eventstoredb/event-store.ts'
import { openSqliteEventStore } from '../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../infra/sqlite/database.ts'
import { type Migrated, migrate } from '../../src/app/migrate.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { RecordedEvent } from '../../src/domain/kernel/event.ts'
import { eventEntry } from '../../src/domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '../../src/domain/kernel/proof/leaf-of.ts'
import type { StoredContent, StoredEvent } from '../../src/domain/kernel/stored-event.ts'
import type { EventBatch, EventStore, StoredBatch } from '../../src/ports/event-store.ts'
import { event } from '../contracts/new-event.ts'
import { type Served, serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { runs } from '../runs.ts'

let folder: string
let source: EventStore
let served: Served
let target: EventStore

const openTarget = async () => {
  served = await serve()
  target = openEventStoreDb(served.address)
}
const closeTarget = async () => {
  await target.close()
  await served.dispose()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-migrate-'))
  let time = Date.parse('2020-01-01T00:00:00.000Z')
  source = openSqliteEventStore(openDatabase(join(folder, 'fonds.db'), { durability: 'normal' }), {
    clock: () => (time += 1000),
  })
  await openTarget()
})
afterEach(async () => {
  await closeTarget()
  await source.close()
  rmSync(folder, { recursive: true, force: true })
})

const right = <F, A>(result: either.Either<F, A>): A => {
  if (either.isLeft(result))
    throw new Error(JSON.stringify(result.left, (_, v) => (typeof v === 'bigint' ? `${v}` : v)))
  return result.right
}

const write = async (stream: string, count = 1, data: unknown = { n: 1 }) =>
  right(
    await source.append(
      stream,
      'any',
      Array.from({ length: count }, () => event('T', data)),
    )(),
  )

const quietly = { categories: ['own'], onStart: () => {}, onProgress: () => {} }
const copy = (to: EventStore = target, signal = new AbortController().signal) =>
  migrate(source, to, { ...quietly, signal })
const copied = async (): Promise<Migrated> => right(await copy())

const withoutPosition = ({ position: _, ...rest }: RecordedEvent) => rest
const logOf = async (store: EventStore) =>
  right(await store.readAll(-1n, {}, 1_000_000)()).events.map(withoutPosition)
const entriesOf = async (store: EventStore): Promise<readonly string[]> => {
  const newest = new Map<string, bigint>()
  return right(await store.readStored(-1n, {}, 1_000_000)())
    .events.filter(isLeaf)
    .map((event, index) => {
      const previous = newest.get(event.stream)
      newest.set(event.stream, BigInt(index))
      return eventEntry(leafOf(event, previous))
    })
}
const readable = async (store: EventStore, stream: string) => {
  const found = await store.read(stream, 'start', 'forward', 1000)()
  return either.isLeft(found) ? found.left.kind : found.right.map(withoutPosition)
}

describe('migrate', () => {
  it('copies everything, in order, with ids, revisions and times', async () => {
    for (const stream of ['a-1', 'b-1', 'a-1', 'a-1', 'c-1']) await write(stream, 2)
    const { before, copied: now, last, more } = await copied()
    expect([before, now, more]).toEqual([0, 10, false])
    expect(last).toMatchObject({ stream: 'c-1', revision: 1n })
    expect(await logOf(target)).toEqual(await logOf(source))
    expect((await logOf(target))[0]?.recordedAt).toMatch(/^2020-01-01T/)
  })

  it('and back into a file: the same again, times included', async () => {
    for (const stream of ['a-1', 'b-1', 'a-1']) await write(stream, 2)
    await copied()
    const back = openSqliteEventStore(openDatabase(join(folder, 'back.db')))
    right(await migrate(target, back, { ...quietly, signal: new AbortController().signal }))
    expect(await logOf(back)).toEqual(await logOf(source))
    expect(
      right(await migrate(target, back, { ...quietly, signal: new AbortController().signal })),
    ).toMatchObject({
      before: 6,
      copied: 0,
    })
    await back.close()
  })

  it('the copy has the same leaves, whoever wrote the events (Q12)', async () => {
    const foreign = (data: StoredContent['data'], metadata: StoredContent['metadata'], isJson = true) => ({
      ...{ id: uuid(), type: 'Theirs', data, metadata, isJson },
    })
    await write('a-1', 2, { text: 'ä\n' })
    await write('duty-x')
    right(
      await source.appendStored('b-1', 'none', [
        foreign('{ "a": 1.0, "a": 2 }', ' {"userId": 7}\n'),
        foreign(Uint8Array.of(0, 255), '', false),
        foreign('{"a":1}', '[1]', false),
        foreign('{', '{}'),
        foreign('1e400', '{"recordedAt":"2019-01-01T00:00:00.000Z","a":1}'),
      ])(),
    )
    await write('a-1')
    const leaves = await entriesOf(source)
    expect(leaves).toHaveLength(8)
    expect(await copied()).toMatchObject({ copied: 8, rewritten: 0 })
    expect(await entriesOf(target)).toEqual(leaves)
    const back = openSqliteEventStore(openDatabase(join(folder, 'back.db')))
    right(await migrate(target, back, { ...quietly, signal: new AbortController().signal }))
    expect(await entriesOf(back)).toEqual(leaves)
    await back.close()
    expect(await copied()).toMatchObject({ before: 8, copied: 0, rewritten: 0 })
  })

  it('an earlier version copied the values alone: its copy is gone on with, and that is told', async () => {
    const data = '{ "a": 1 }'
    const theirs = { id: uuid(), type: 'Theirs', data, metadata: '{"userId":7}', isJson: true }
    right(await source.appendStored('b-1', 'none', [theirs])())
    await write('b-1')
    const [first, second] = right(await source.readAll(-1n, {}, 2)()).events
    for (const { id, type, data, metadata, recordedAt } of [first!, second!]) {
      const timed = { ...metadata, recordedAt }
      right(await target.append('b-1', 'any', [{ id, type, data, metadata: timed }])())
    }
    await write('b-1')
    expect(await copied()).toMatchObject({ before: 2, copied: 1, rewritten: 1 })
    expect(await logOf(target)).toEqual(await logOf(source))
    const [, ...others] = await entriesOf(source)
    expect((await entriesOf(target)).slice(1)).toEqual(others)
  })

  it('runs of one stream are under way together, streams in turn are not', async () => {
    await write('a-1', 2600)
    for (let n = 0; n < 10; n++) await write(`b-${n % 2}`)
    const most = { run: 0, turn: 0 }
    let underWay = 0
    const watching: EventStore = {
      ...target,
      appendStored: (stream, expected, events) => async () => {
        const kind = stream === 'a-1' ? 'run' : 'turn'
        most[kind] = Math.max(most[kind], ++underWay)
        const appended = await target.appendStored(stream, expected, events)()
        underWay--
        return appended
      },
    }
    right(await copy(watching))
    expect(most).toEqual({ run: 4, turn: 1 })
    expect(await logOf(target)).toEqual(await logOf(source))
  })

  it('places are found again in the copy, whatever stands between', async () => {
    for (let n = 0; n < 2300; n++) await write(n % 3 === 0 ? 'duty-x' : `a-${n % 5}`)
    const { counterpart } = await copied()
    const events = right(await source.readAll(-1n, {}, 10_000)()).events
    for (const at of [0, 1, 2, 3, 700, 1498, 1499, 1500, 1501, 2298, 2299]) {
      const { position } = events[at]!
      const last = events.findLast((one) => one.position <= position && one.stream !== 'duty-x')
      const found = await counterpart(position)
      expect(found && withoutPosition(found)).toEqual(last && withoutPosition(last))
      if (found) expect(right(await target.readBack(found.position + 1n, 1)())).toEqual([found])
    }
    expect(await counterpart(-1n)).toBeUndefined()
  })

  it('an empty log is copied at once', async () => {
    expect(await copied()).toMatchObject({ before: 0, copied: 0, last: undefined, more: false })
  })

  it('again: what was written meanwhile, and no more', async () => {
    await write('a-1', 3)
    await copied()
    expect(await copied()).toMatchObject({ before: 3, copied: 0 })
    await write('b-1', 2)
    expect(await copied()).toMatchObject({ before: 3, copied: 2 })
    expect(await logOf(target)).toEqual(await logOf(source))
  })

  it('what is written while it runs is left to the next run, and told', async () => {
    await write('a-1', 3)
    const writing: EventStore = {
      ...target,
      appendStored:
        (...given) =>
        async () => {
          await write('b-1')
          return target.appendStored(...given)()
        },
    }
    expect(right(await copy(writing))).toMatchObject({ copied: 3, more: true })
    expect(await copied()).toMatchObject({ before: 3, copied: 1, more: false })
  })

  it('many events and large ones: appends stay below what the target takes', async () => {
    await write('a-1', 1200)
    await write('a-1', 7, { text: 'x'.repeat(200_000) })
    const sizes: number[] = []
    const counting: EventStore = {
      ...target,
      appendStored: (stream, expected, events) => {
        sizes.push(events.length)
        return target.appendStored(stream, expected, events)
      },
    }
    right(await copy(counting))
    expect(Math.max(...sizes)).toBe(500)
    expect(await logOf(target)).toEqual(await logOf(source))
  })

  it('a target that takes less gets less at once; an event that it never takes is named', async () => {
    await write('a-1', 20, { text: 'x'.repeat(500) })
    const small = openEventStoreDb(served.address, { maxAppendSize: 3000 })
    right(await copy(small))
    expect(await logOf(target)).toEqual(await logOf(source))
    await write('a-1', 1, { text: 'x'.repeat(5000) })
    expect(await copy(small)).toMatchObject({
      left: { kind: 'TooLarge', limit: 3000, event: { stream: 'a-1', revision: 20n } },
    })
    await small.close()
  })

  it('streams that only keep house stay behind; those whose first events are gone are named', async () => {
    await write('duty-relay', 2)
    await write('a-1')
    right(await source.keepLatest('b-1', 2)())
    await write('b-1', 3)
    expect(await copied()).toMatchObject({ copied: 1, leftOut: 2, cut: ['b-1'] })
    expect((await logOf(target)).map(({ stream }) => stream)).toEqual(['a-1'])
  })

  it('a stream is copied while $maxCount lets all its events stay, and named once it was cut', async () => {
    right(await source.setMetadata('c-1', { $maxCount: 5 })())
    await write('c-1', 3)
    expect(await copied()).toMatchObject({ copied: 3, cut: [], metadata: 1 })
    expect(right(await target.metadata('c-1')())).toEqual({ $maxCount: 5 })
    await write('c-1', 4)
    await write('a-1')
    expect(await copied()).toMatchObject({ before: 0, copied: 1, cut: ['c-1'] })
    expect(right(await source.read('c-1', 'start', 'forward', 9)()).map((e) => e.revision)).toEqual([
      2n,
      3n,
      4n,
      5n,
      6n,
    ])
  })

  it('metadata are copied whole, once, and again where they changed', async () => {
    const acl = { $r: ['$all'], $w: 'depositors' }
    await write('a-1', 2)
    right(await source.setMetadata('a-1', { $maxAge: 3600, $acl: acl, $cacheControl: 60, owner: 'Ada' })())
    expect(await copied()).toMatchObject({ copied: 2, metadata: 1 })
    expect(right(await target.metadata('a-1')())).toEqual(right(await source.metadata('a-1')()))
    expect(await copied()).toMatchObject({ before: 2, metadata: 0 })
    right(await source.setMetadata('a-1', { owner: 'Grace' })())
    expect(await copied()).toMatchObject({ metadata: 1 })
    expect(right(await target.metadata('a-1')())).toEqual({ owner: 'Grace' })
  })

  it('metadata of streams that were truncated, deleted, written again or tombstoned: the same events read', async () => {
    for (const stream of ['t-1', 'd-1', 'w-1', 'x-1']) {
      await write(stream, 4)
      right(await source.setMetadata(stream, { owner: 'Ada' })())
    }
    right(await source.setMetadata('t-1', { owner: 'Ada', $tb: 2 })())
    right(await source.deleteStream('d-1', 'any', 'soft')())
    right(await source.deleteStream('w-1', 'any', 'soft')())
    await write('w-1', 2)
    right(await source.deleteStream('x-1', 'any', 'tombstone')())
    for (const run of [1, 2]) {
      expect(await copied()).toMatchObject({ metadata: run === 1 ? 2 : 0, cut: [] })
      for (const stream of ['t-1', 'd-1', 'w-1', 'x-1'])
        expect([stream, await readable(target, stream)]).toEqual([stream, await readable(source, stream)])
      expect(right(await target.metadata('t-1')())).toEqual({ owner: 'Ada', $tb: 2 })
    }
    expect(right(await target.metadata('w-1')())).toMatchObject({ owner: 'Ada' })
  })

  it('deletions are repeated: soft, for ever, and of streams that were written again', async () => {
    for (const stream of ['a-1', 'a-2', 'a-3', 'a-4']) await write(stream, 3)
    right(await source.deleteStream('a-1', 'any', 'soft')())
    right(await source.deleteStream('a-2', 'any', 'tombstone')())
    right(await source.deleteStream('a-3', 'any', 'soft')())
    await write('a-3', 2)
    expect(await copied()).toMatchObject({ copied: 14, deleted: 2 })
    for (const stream of ['a-1', 'a-2', 'a-3', 'a-4'])
      expect(await readable(target, stream)).toEqual(await readable(source, stream))
    expect(await copied()).toMatchObject({ before: 14, copied: 0, deleted: 0 })

    right(await source.deleteStream('a-4', 'any', 'soft')())
    await write('a-1')
    await write('a-4')
    await copied()
    for (const stream of ['a-1', 'a-4'])
      expect(await readable(target, stream)).toEqual(await readable(source, stream))
  })

  it('refuses a target that holds other events in these categories, and names the first', async () => {
    await write('a-1')
    const foreign = event('Foreign')
    right(await target.append('a-9', 'none', [foreign])())
    expect(await copy()).toMatchObject({
      left: { kind: 'Different', here: { stream: 'a-1' }, there: { id: foreign.id, stream: 'a-9' } },
    })
  })

  it('refuses events of its own categories there, even where it has none itself', async () => {
    right(await target.append('own-1', 'none', [event()])())
    expect(await copy()).toMatchObject({
      left: { kind: 'Different', here: undefined, there: { stream: 'own-1' } },
    })
  })

  it('what other categories hold at the target is nobody’s concern', async () => {
    right(await target.append('shop-1', 'none', [event()])())
    await write('a-1')
    expect(await copied()).toMatchObject({ copied: 1 })
    right(await target.append('shop-1', 0n, [event()])())
    expect(await copied()).toMatchObject({ before: 1, copied: 0 })
  })

  it('refuses a target that was used since', async () => {
    await write('a-1')
    await copied()
    right(await target.append('a-1', 0n, [event('Later')])())
    expect(await copy()).toMatchObject({
      left: { kind: 'Different', here: undefined, there: { type: 'Later' } },
    })
  })

  it('an event that is not the same is a difference, whatever part of it', async () => {
    await write('a-1', 2)
    await copied()
    const [first] = right(await target.read('a-1', 'start', 'forward', 1)())
    const metadata = { ...first!.metadata, actor: 'other' }
    const parts: Partial<StoredEvent>[] = [
      { id: uuid() },
      { type: 'Other' },
      { data: '{"n":2}' },
      { metadata: JSON.stringify(metadata) },
      { recordedAt: '2021-01-01T00:00:00.000Z' },
      { stream: 'a-2' },
      { revision: 1n },
    ]
    for (const part of parts) {
      const change =
        <E extends RecordedEvent | StoredEvent>(changed: Partial<E>) =>
        <B extends { readonly events: readonly E[] }>(batch: B): B => ({
          ...batch,
          events: batch.events.map((one, index) => (index === 0 ? { ...one, ...changed } : one)),
        })
      const values = {
        ...part,
        ...(part.data && { data: { n: 2 } }),
        ...(part.metadata && { metadata }),
      } as Partial<RecordedEvent>
      const changed: EventStore = {
        ...target,
        readStored:
          (after, ...of) =>
          async () =>
            either.map(change<StoredEvent>(after < 0n ? part : {})<StoredBatch>)(
              await target.readStored(after, ...of)(),
            ),
        readAll:
          (after, ...of) =>
          async () =>
            either.map(change<RecordedEvent>(after < 0n ? values : {})<EventBatch>)(
              await target.readAll(after, ...of)(),
            ),
      }
      expect(await copy(changed)).toMatchObject({ left: { kind: 'Different', here: { revision: 0n } } })
    }
  })

  it('somebody who writes there meanwhile is told', async () => {
    await write('a-1', 2)
    await write('b-1')
    const disturbed: EventStore = {
      ...target,
      appendStored:
        (...given) =>
        async () => {
          await target.append('b-1', 'any', [event()])()
          return target.appendStored(...given)()
        },
    }
    expect(await copy(disturbed)).toEqual(either.left({ kind: 'Conflict', stream: 'b-1' }))
  })

  it('interrupted: stops between two appends', async () => {
    for (let n = 0; n < 5; n++) await write(`a-${n}`)
    const abort = new AbortController()
    const stopping: EventStore = {
      ...target,
      appendStored: (...given) => {
        abort.abort(new Error('enough'))
        return target.appendStored(...given)
      },
    }
    await expect(copy(stopping, abort.signal)).rejects.toThrow('enough')
    expect(await logOf(target)).toHaveLength(1)
    await copied()
    expect(await logOf(target)).toEqual(await logOf(source))
  })

  /** UnavailableError for one call, before it has an effect or after. */
  const failingAt = (call: number, when: 'before' | 'after'): EventStore => {
    let calls = 0
    const failing =
      <F, A>(task: () => Promise<either.Either<F, A>>) =>
      async () => {
        const fails = calls++ === call
        if (!fails || when === 'after') await task()
        return fails ? either.left({ kind: 'Unavailable' as const, reason: 'cut' }) : task()
      }
    return {
      ...target,
      appendStored: (...given) => failing(target.appendStored(...given)),
      deleteStream: (...given) => failing(target.deleteStream(...given)),
    }
  }

  it('broken off at any boundary, before or after the write: another run makes it whole', async () => {
    for (const stream of ['a-1', 'b-1', 'a-1', 'b-2', 'b-3']) await write(stream, 2)
    right(await source.deleteStream('b-1', 'any', 'soft')())
    await write('b-1')
    right(await source.deleteStream('b-2', 'any', 'soft')())
    right(await source.deleteStream('b-3', 'any', 'tombstone')())
    const wanted = await logOf(source)
    let broken = 0
    for (let call = 0; ; call++) {
      let whole = false
      for (const when of ['before', 'after'] as const) {
        await closeTarget()
        await openTarget()
        try {
          right(await copy(failingAt(call, when)))
          whole = true
        } catch (error) {
          expect(error).toBeInstanceOf(UnavailableError)
          broken++
        }
        await copied()
        expect(await logOf(target)).toEqual(wanted)
        for (const stream of ['a-1', 'b-1', 'b-2', 'b-3'])
          expect(await readable(target, stream)).toEqual(await readable(source, stream))
      }
      if (whole) break
    }
    expect(broken).toBe(2 * 9)
  })

  it('property: whatever was written and deleted, and wherever it was broken off, both logs are the same', async () => {
    const Step = fc.record({
      do: fc.constantFrom('write', 'write', 'write', 'soft', 'tombstone', 'copy', 'break'),
      stream: fc.integer({ min: 0, max: 3 }),
      count: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 20 }), async (plan) => {
        const category = `p${uuid().replaceAll('-', '')}`
        const name = (stream: number) => `${category}-${stream}`
        for (const step of plan) {
          const stream = name(step.stream)
          if (step.do === 'write')
            await source.append(
              stream,
              'any',
              Array.from({ length: step.count }, () => event()),
            )()
          if (step.do === 'soft' || step.do === 'tombstone')
            await source.deleteStream(stream, 'any', step.do)()
          if (step.do === 'copy') await copied()
          if (step.do === 'break') await copy(failingAt(step.count, 'after')).catch(() => {})
        }
        await copied()
        expect(await logOf(target)).toEqual(await logOf(source))
        // Of a stream that never held an event the log says nothing, deleted or not.
        for (const stream of new Set((await logOf(source)).map((one) => one.stream)))
          expect(await readable(target, stream)).toEqual(await readable(source, stream))
      }),
      { numRuns: runs(15) },
    )
  })
})
