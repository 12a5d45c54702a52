import { binaryEvent, jsonEvent } from '@eventstore/db-client'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEventStoreDb } from '../../../infra/event-store/eventstoredb/event-store.ts'
import { encodeForeign } from '../../../infra/event-store/sqlite/encoding.ts'
import { event } from '../../contracts/new-event.ts'
import { type Running, runGateway, some } from './running-gateway.ts'

/* Fonds reads whatever other programs write, and sees the same in the file as through the protocol. */

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

const inFile = async () => {
  const read = await running.store.readAll(-1n, {}, 100)()
  if (either.isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}
const throughProtocol = async () => {
  const store = openEventStoreDb(`esdb://${running.address}?tls=false`)
  const read = await store.readAll(-1n, {}, 100)()
  await store.close()
  if (either.isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}

const metadata = { actor: 'anna', causationId: 'c', correlationId: 'd', schema: 2, traceparent: 't' }

it('what other programs write has the shape of every event', async () => {
  const bytes = Uint8Array.of(0, 255, 10)
  await running.client.appendToStream('other-1', [
    jsonEvent({ type: 'Plain', data: { a: 1 } }),
    jsonEvent({
      type: 'Whole',
      data: [1],
      metadata: { ...metadata, $correlationId: 'd', $causationId: 'c' },
    }),
    jsonEvent({
      type: 'Theirs',
      data: 'text',
      metadata: { $correlationId: 'x', $causationId: 'y', userId: 7 },
    }),
    jsonEvent({
      type: 'Copied',
      data: {},
      metadata: { ...metadata, recordedAt: '2020-01-02T03:04:05.678Z' },
    }),
    binaryEvent({ type: 'Bytes', data: bytes, metadata: bytes }),
    binaryEvent({ type: 'Nothing', data: new Uint8Array() }),
  ])
  const events = await inFile()
  const unknown = { actor: 'unknown', causationId: 'unknown', correlationId: 'unknown', schema: 1 }
  expect(events.map((one) => [one.type, one.data, one.metadata])).toEqual([
    ['Plain', { a: 1 }, unknown],
    ['Whole', [1], metadata],
    ['Theirs', 'text', { ...unknown, correlationId: 'x', causationId: 'y' }],
    ['Copied', {}, metadata],
    ['Bytes', { $base64: 'AP8K' }, unknown],
    ['Nothing', { $base64: '' }, unknown],
  ])
  expect(events[3]?.recordedAt).toBe('2020-01-02T03:04:05.678Z')
  expect(await throughProtocol()).toEqual(events)
})
it('what Fonds writes reads the same through the protocol', async () => {
  const own = [event('Tested', { text: 'ä€😀', n: [1.5, null] }), event('Tested', null)]
  expect(either.isRight(await running.store.append('own-1', 'none', own)())).toBe(true)
  expect(await throughProtocol()).toEqual(await inFile())
})
it('JSON that is none is text, and its bytes are kept', async () => {
  const broken = Buffer.from([0x7b, 0xff])
  const encoded = encodeForeign({
    id: uuid(),
    type: 'T',
    contentType: 'application/json',
    data: broken,
    metadata: new Uint8Array(),
  })
  expect(encoded).toMatchObject({ data: broken.toString('base64'), values: { data: '{\ufffd' } })
})
it('what reads with other programs reads without: from any revision on, backwards, by category', async () => {
  await running.client.appendToStream('other-1', some(3))
  const read = await running.store.read('other-1', 'end', 'backward', 2)()
  expect(either.isRight(read) && read.right.map(({ revision }) => revision)).toEqual([2n, 1n])
  const own = await running.store.readAll(-1n, { categories: ['other'], types: ['Tested'] }, 10)()
  expect(either.isRight(own) && own.right.events).toHaveLength(3)
  await running.client.setStreamMetadata('other-1', { maxCount: 1 })
  await running.client.appendToStream('other-1', some(1))
  expect(await running.store.read('other-1', 'start', 'forward', 9)()).toMatchObject({
    right: [{ revision: 3n }],
  })
})
