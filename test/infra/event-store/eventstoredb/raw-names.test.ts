import { status } from '@grpc/grpc-js'
import * as either from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../../infra/event-store/eventstoredb/event-store.ts'
import type { EventStore, Expected } from '../../../../src/ports/event-store.ts'
import { event } from '../../../contracts/new-event.ts'
import { cameTo, versions } from '../../../fixtures/eventstoredb-record.ts'
import { type Served, serve } from './gateway.ts'
import { inFront, type Otherwise } from './in-front.ts'
import { namesScenario } from './recorded/names.ts'
import { nameOf, type Step, stepsOf } from './recorded/record.ts'
import { useRecorded } from './recorded/use-recorded.ts'

/* A server puts names into trailers as they are: what it then cannot say is asked. */

const deleted = (stream: string) => either.left({ kind: 'StreamDeleted', stream })
const conflict = (stream: string, actual: bigint | 'none') =>
  either.left({ kind: 'Conflict', stream, actual })

const call = async (store: EventStore, step: Step): Promise<unknown> => {
  const stream = nameOf(step.stream ?? '')
  const { expected: said = 'any' } = step
  const expected: Expected = typeof said === 'number' ? BigInt(said) : said
  if (step.call === 'append') return store.append(stream, expected, [event()])()
  if (step.call === 'read') return store.read(stream, 'start', 'forward', 9)()
  return store.deleteStream(stream, expected, step.call === 'delete' ? 'soft' : 'tombstone')()
}

describe.each(versions)('names that trailers cannot hold (%s)', (version) => {
  it('all 36 recorded calls: a deletion at a wrong revision is a conflict, what comes behind a tombstone is deleted', async () => {
    const { store } = await useRecorded(version)
    const steps = stepsOf(namesScenario)
    expect(steps).toHaveLength(36)
    for (const step of steps) {
      const stream = nameOf(step.stream ?? '')
      const hasWorked = cameTo(version, step).status.code === 'OK'
      const expected = hasWorked
        ? { _tag: 'Right' }
        : step.call === 'delete' || step.call === 'tombstone'
          ? conflict(stream, 0n)
          : deleted(stream)
      expect(await call(store, step)).toMatchObject(expected)
    }
  })

  it('metadata, soft deletions, and what exists', async () => {
    const { store } = await useRecorded(version)
    expect(await store.deleteStream('never é', 3n, 'soft')()).toEqual(conflict('never é', 'none'))
    await store.append('日本', 'none', [event()])()
    expect(either.isRight(await store.deleteStream('日本', 0n, 'soft')())).toBe(true)
    expect(await store.append('日本', 'exists', [event()])()).toEqual(deleted('日本'))
    expect(await store.append('日本', 'any', [event()])()).toMatchObject({ right: { revision: 1n } })
    expect(either.isRight(await store.deleteStream('日本', 'exists', 'tombstone')())).toBe(true)
    expect(await store.deleteStream('日本', 'any', 'soft')()).toEqual(deleted('日本'))
    expect(await store.deleteStream('日本', 'exists', 'soft')()).toEqual(deleted('日本'))
    expect(await store.setMetadata('日本', { owner: 'Ada' })()).toEqual(deleted('日本'))
    expect(await store.metadata('日本')()).toEqual(either.right({}))
    expect(await store.keepLatest('日本', 3)()).toEqual(either.right(undefined))
  })
})

describe("a proxy's 500 never means that a stream was deleted", () => {
  let served: Served
  let server: Awaited<ReturnType<typeof inFront>>
  let store: EventStore
  beforeEach(async () => {
    served = await serve()
  })
  afterEach(async () => {
    await store.close()
    server.close()
    await served.dispose()
  })

  const failed = Object.assign(new Error(), {
    code: status.UNKNOWN,
    details: 'Received HTTP status code 500',
  })
  const through = async (otherwise: Otherwise) => {
    server = await inFront(served.port, otherwise)
    store = openEventStoreDb(server.address)
  }
  /** Answers that way where `fails` says so, call by call. */
  const failing = (fails: () => boolean) =>
    through({
      read: (call) => fails() && call.emit('error', failed),
      append: (call, callback) => {
        call.on('data', () => {})
        call.on('end', () => callback(failed))
      },
      remove: (_, callback) => callback(failed),
    })
  const away = either.left({ kind: 'Unavailable', reason: expect.stringContaining('HTTP status code 500') })

  it.each(['a-1', 'é-1'])('a proxy that answers so for ever: %s', async (stream) => {
    await failing(() => true)
    expect(await store.read(stream, 'start', 'forward', 9)()).toEqual(away)
    expect(await store.append(stream, 'any', [event()])()).toEqual(away)
    expect(await store.deleteStream(stream, 0n, 'soft')()).toEqual(away)
  })
  it.each([
    ['a-1', 0],
    ['a-1', 1],
    ['é-1', 0],
    ['é-1', 1],
  ])('one of two servers behind it: %s, %d', async (stream, first) => {
    let calls = first
    await failing(() => calls++ % 2 === 0)
    for (let n = 0; n < 6; n++) {
      const found = await store.read(stream, 'start', 'forward', 9)()
      expect([away, either.right([])]).toContainEqual(found)
      expect(await store.append(stream, 'any', [event()])()).toEqual(away)
    }
  })
  it('the stream can be read: an append or a deletion that would fit is away', async () => {
    await failing(() => false)
    const direct = openEventStoreDb(served.address)
    await direct.append('é-1', 'none', [event()])()
    await direct.close()
    expect(await store.append('é-1', 0n, [event()])()).toEqual(away)
    expect(await store.deleteStream('é-1', 0n, 'soft')()).toEqual(away)
    expect(await store.deleteStream('é-1', 'any', 'soft')()).toEqual(away)
    expect(await store.deleteStream('é-1', 4n, 'soft')()).toEqual(conflict('é-1', 0n))
  })
})
