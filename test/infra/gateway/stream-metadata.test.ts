import { binaryEvent, ErrorType, type JSONType, jsonEvent } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { collect, paths, type Running, refusal, runGateway, some } from './running-gateway.ts'

let running: Running
let now = 1_800_000_000_000
beforeEach(async () => {
  running = await runGateway({
    clock: () => now,
    reject: (stream, { type }) => (stream.startsWith('own-') ? `own takes no ${type}` : undefined),
  })
})
afterEach(() => running.dispose())

const revisions = async (stream = 'a-1') =>
  (await collect(running.client.readStream(stream))).map(({ event }) => Number(event?.revision))
const metadata = async (stream = 'a-1') => (await running.client.getStreamMetadata(stream)).metadata

it('metadata are read as they were written, also what is not enforced', async () => {
  expect(await metadata()).toBeUndefined()
  const acl = {
    readRoles: ['a', 'b'],
    writeRoles: ['c'],
    deleteRoles: [],
    metaReadRoles: ['d'],
    metaWriteRoles: ['e'],
  }
  await running.client.setStreamMetadata('a-1', { maxCount: 3, cacheControl: 5, acl, own: { key: 1 } })
  expect(await metadata()).toEqual({ maxCount: 3, cacheControl: 5, acl, own: { key: 1 } })
  await running.client.setStreamMetadata('a-1', {}, { expectedRevision: 0n })
  expect(await metadata()).toEqual({})
  expect(await refusal(running.client.setStreamMetadata('a-1', {}, { expectedRevision: 0n }))).toMatchObject({
    type: ErrorType.WRONG_EXPECTED_VERSION,
    actualVersion: 1n,
  })
  expect(await revisions('$$a-1')).toEqual([1])
})
it('$maxCount: the newest are left; what was dropped stays gone', async () => {
  await running.client.appendToStream('a-1', some(5))
  await running.client.setStreamMetadata('a-1', { maxCount: 2 })
  expect(await revisions()).toEqual([3, 4])
  await running.client.appendToStream('a-1', some(1))
  expect(await revisions()).toEqual([4, 5])
  await running.client.setStreamMetadata('a-1', { maxCount: 4 })
  expect(await revisions()).toEqual([4, 5])
  await running.client.setStreamMetadata('a-1', {})
  await running.client.appendToStream('a-1', some(4))
  expect(await revisions()).toEqual([4, 5, 6, 7, 8, 9])
})
it('$tb: what lies before it no longer reads, until metadata say otherwise', async () => {
  await running.client.appendToStream('a-1', some(5))
  await running.client.setStreamMetadata('a-1', { truncateBefore: 3 })
  expect(await revisions()).toEqual([3, 4])
  await running.client.setStreamMetadata('a-1', { truncateBefore: 9 })
  expect(await revisions()).toEqual([])
  await running.client.setStreamMetadata('a-1', {})
  expect(await revisions()).toEqual([0, 1, 2, 3, 4])
  expect(await collect(running.client.readAll())).toHaveLength(8)
})
it('$maxAge: events that are older no longer read', async () => {
  await running.client.appendToStream('a-1', some(2))
  await running.client.setStreamMetadata('a-1', { maxAge: 60 })
  now += 60_000
  expect(await revisions()).toEqual([0, 1])
  now += 1
  expect(await revisions()).toEqual([])
  await running.client.appendToStream('a-1', some(1), { expectedRevision: 1n })
  expect(await revisions()).toEqual([2])
  expect(await collect(running.client.readAll())).toHaveLength(4)
})
it('a deleted stream reads as none; written again, it goes on where it was', async () => {
  await running.client.appendToStream('a-1', some(3))
  await running.client.setStreamMetadata('a-1', { maxCount: 10 })
  const { position } = await running.client.deleteStream('a-1', { expectedRevision: 2n })
  expect(position).toEqual({ commit: 5n, prepare: 5n })
  expect(await metadata()).toEqual({ truncateBefore: 2 ** 63 })
  await expect(revisions()).rejects.toMatchObject({ type: ErrorType.STREAM_NOT_FOUND })
  expect(await running.store.read('a-1', 'start', 'forward', 9)()).toMatchObject({ right: [] })
  const again = await running.client.appendToStream('a-1', some(2), { expectedRevision: 'no_stream' })
  expect(again.nextExpectedRevision).toBe(4n)
  expect(await revisions()).toEqual([3, 4])
  expect(await metadata()).toEqual({ truncateBefore: 3 })
})
it('a stream deleted by its metadata alone is deleted as well', async () => {
  await running.client.appendToStream('a-1', some(3))
  await running.client.appendToStream('$$a-1', jsonEvent({ type: '$metadata', data: { $tb: 2 ** 63 } }))
  await expect(revisions()).rejects.toMatchObject({ type: ErrorType.STREAM_NOT_FOUND })
  expect((await running.client.appendToStream('a-1', some(1))).nextExpectedRevision).toBe(3n)
  expect(await revisions()).toEqual([3])
})
it('a deletion expects a revision, too', async () => {
  const wrong = (expectedVersion: bigint, actualVersion: unknown) =>
    expect.objectContaining({ type: ErrorType.WRONG_EXPECTED_VERSION, expectedVersion, actualVersion })
  expect(await refusal(running.client.deleteStream('a-1', { expectedRevision: 0n }))).toEqual(wrong(0n, -1n))
  await running.client.appendToStream('a-1', some(2))
  expect(await refusal(running.client.deleteStream('a-1', { expectedRevision: 0n }))).toEqual(wrong(0n, 1n))
  expect(await refusal(running.client.tombstoneStream('a-1', { expectedRevision: 7n }))).toEqual(
    wrong(7n, 1n),
  )
  expect(await revisions()).toEqual([0, 1])
})
it('a tombstone is for ever, of the metadata as well', async () => {
  await running.client.appendToStream('a-1', some(1))
  await running.client.tombstoneStream('a-1')
  const deleted = { type: ErrorType.STREAM_DELETED, streamName: 'a-1' }
  await expect(revisions()).rejects.toMatchObject(deleted)
  expect(await refusal(running.client.deleteStream('a-1'))).toMatchObject(deleted)
  expect(await refusal(running.client.tombstoneStream('a-1'))).toMatchObject(deleted)
  expect(await refusal(running.client.setStreamMetadata('a-1', {}))).toMatchObject({
    type: ErrorType.STREAM_DELETED,
  })
  await expect(metadata()).rejects.toMatchObject({ type: ErrorType.STREAM_DELETED })
})
it.each(paths)('metadata that cannot be read are kept, and rule nothing: $path', async ({ options }) => {
  await running.client.appendToStream('a-1', some(3))
  const set = (data: object, type = '$metadata') =>
    running.client.appendToStream('$$a-1', jsonEvent({ type, data: { ...data } }), options)
  for (const none of [
    { $maxCount: 0 },
    { $maxAge: -1, $tb: -1 },
    { $maxCount: 'two', $tb: 2 },
    { $maxCount: 1.5 },
  ]) {
    await set({ $maxCount: 1 })
    expect(await revisions()).toEqual([2])
    await set(none)
    expect(await revisions()).toEqual([0, 1, 2])
  }
  await set({ $maxCount: 1 })
  await running.client.appendToStream(
    '$$a-1',
    binaryEvent({ type: 'Other', data: Buffer.from([255]) }),
    options,
  )
  expect(await revisions()).toEqual([0, 1, 2])
})
it('new metadata of a deleted stream leave deleted what was, also where they cannot be read', async () => {
  const written: [stream: string, data: JSONType][] = [
    ['a-1', { $maxCount: 9 }],
    ['a-2', []],
  ]
  for (const [stream, data] of written) {
    await running.client.appendToStream(stream, some(2))
    await running.client.deleteStream(stream)
    await running.client.appendToStream(`$$${stream}`, jsonEvent({ type: '$metadata', data }))
    expect(await revisions(stream)).toEqual([])
    await running.client.appendToStream(stream, some(1), { expectedRevision: 1n })
    expect(await revisions(stream)).toEqual([2])
  }
  expect(await metadata('a-1')).toEqual({ maxCount: 9, truncateBefore: 2 })
  expect(await metadata('a-2')).toEqual({ truncateBefore: 2 })
})
it('who may not write a stream may neither rule over it nor delete it', async () => {
  const { client } = running
  const refused = async (attempt: Promise<unknown>) => (await refusal(attempt)).message
  expect(await refused(client.setStreamMetadata('own-1', { maxCount: 1 }))).toContain(
    'own takes no $metadata',
  )
  expect(await refused(client.setStreamMetadata('$$own-1', { maxCount: 1 }))).toContain(
    'own takes no $metadata',
  )
  expect(await refused(client.deleteStream('own-1'))).toContain('own takes no $metadata')
  expect(await refused(client.tombstoneStream('own-1'))).toContain('own takes no $streamDeleted')
  expect(await refused(client.deleteStream('$$a-1'))).toContain('$$a-1 is a system stream')
  expect(await refused(client.tombstoneStream('$x'))).toContain('$x is a system stream')
})
