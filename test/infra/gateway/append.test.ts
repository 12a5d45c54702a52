import { binaryEvent, ErrorType, type EventData, jsonEvent } from '@eventstore/db-client'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status } from '@grpc/grpc-js'
import { v7 as uuid, v4 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect, paths, type Running, refusal, runGateway, some } from './running-gateway.ts'

let running: Running
let stream: string
const refused: string[] = []

beforeEach(async () => {
  running = await runGateway({
    reject: (name, event) => {
      if (event.type !== 'Unreadable') return undefined
      refused.push(JSON.stringify([name, event]))
      return `${name} takes no ${event.type}`
    },
  })
  stream = `gateway-${uuid()}`
})
afterEach(() => running.dispose())

const read = () => collect(running.client.readStream(stream))

describe.each(paths)('$path', ({ options }) => {
  const append = (
    expectedRevision: bigint | 'any' | 'no_stream' | 'stream_exists',
    events: EventData | EventData[],
    to = stream,
  ) => running.client.appendToStream(to, events, { ...options, expectedRevision })
  const conflict = (expectedVersion: unknown, actualVersion: unknown) =>
    expect.objectContaining({ type: ErrorType.WRONG_EXPECTED_VERSION, expectedVersion, actualVersion })

  it('none on no stream: write', async () => {
    const appended = await append('no_stream', some(2))
    expect(appended).toEqual({
      success: true,
      nextExpectedRevision: 1n,
      position: { commit: 2n, prepare: 2n },
    })
    expect((await read()).map(({ event }) => event?.revision)).toEqual([0n, 1n])
  })
  it('exact revision that is the present one: write', async () => {
    await append('no_stream', some(3))
    expect((await append(2n, some(1))).nextExpectedRevision).toBe(3n)
  })
  it('exact revision above the present one: conflict with the actual revision', async () => {
    await append('no_stream', some(1))
    expect(await refusal(append(5n, some(1)))).toEqual(conflict(5n, 0n))
  })
  it('exact revision on no stream: conflict with no stream', async () => {
    expect(await refusal(append(0n, some(1)))).toEqual(conflict(0n, 'no_stream'))
  })
  it('exact below, every id equals the one stored there: success again, same revision and position', async () => {
    const events = some(3)
    await append('no_stream', some(1))
    const once = await append(0n, events)
    await append(once.nextExpectedRevision, some(2))
    expect(await append(0n, events)).toEqual(once)
  })
  it('none below, first id differs: conflict', async () => {
    await append('no_stream', some(2))
    expect(await refusal(append('no_stream', some(1)))).toEqual(conflict('no_stream', 1n))
  })
  it('exact below, some ids match and a later one differs: conflict', async () => {
    const [first, second, third] = some(3)
    await append('no_stream', [first!, second!])
    expect(await refusal(append('no_stream', [first!, third!]))).toEqual(conflict('no_stream', 1n))
  })
  it('exact below, nothing to append: conflict', async () => {
    await append('no_stream', some(2))
    expect(await refusal(append(0n, []))).toEqual(conflict(0n, 1n))
  })
  it('exact revision that is the present one, an id already in the stream: written again', async () => {
    const [event] = some(1)
    await append('no_stream', event!)
    expect((await append(0n, event!)).nextExpectedRevision).toBe(1n)
    expect((await append('any', event!)).nextExpectedRevision).toBe(1n)
    expect(await read()).toHaveLength(2)
  })
  it('any: new ids are written, known ids are success again, a mixture is a conflict', async () => {
    const events = some(2)
    const once = await append('any', events)
    expect(await append('any', events)).toEqual(once)
    expect(await refusal(append('any', [events[0]!, ...some(1)]))).toEqual(conflict('any', 1n))
  })
  it('exists on no stream: conflict; on a stream, or with its metadata alone: write', async () => {
    expect(await refusal(append('stream_exists', some(1)))).toEqual(conflict('stream_exists', 'no_stream'))
    await running.client.setStreamMetadata(stream, { maxCount: 10 })
    expect((await append('stream_exists', some(1))).nextExpectedRevision).toBe(0n)
    expect((await append('stream_exists', some(1))).nextExpectedRevision).toBe(1n)
  })
  it('anything on a tombstoned stream: StreamDeleted with its name', async () => {
    await append('any', some(1))
    await running.client.tombstoneStream(stream)
    for (const expected of ['any', 'no_stream', 0n] as const)
      expect(await refusal(append(expected, some(1)))).toMatchObject({
        type: ErrorType.STREAM_DELETED,
        streamName: stream,
      })
  })

  it('1 MiB and no more: MaxAppendSizeExceeded with the limit, and nothing written', async () => {
    const half = () => binaryEvent({ type: 'B', data: new Uint8Array(512 * 1024) })
    const more = binaryEvent({ type: 'B', data: new Uint8Array(1) })
    expect(await refusal(append('any', [half(), half(), more]))).toMatchObject({
      type: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
      maxAppendSize: 1024 * 1024,
    })
    expect(
      await refusal(append('any', binaryEvent({ type: 'B', data: new Uint8Array(5_000_000) }))),
    ).toMatchObject({
      type: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
    })
    // Data alone are counted.
    const metadata = new Uint8Array(1024 * 1024)
    await append('any', binaryEvent({ type: 'B', data: new Uint8Array(1024 * 1024), metadata }))
    expect(await read()).toHaveLength(1)
  })
  it('a refused event refuses the whole append with the sentence', async () => {
    refused.length = 0
    const wrong = jsonEvent({ type: 'Unreadable', data: { a: 1 }, metadata: { b: 2 } })
    const { message } = await refusal(append('any', [...some(1), wrong]))
    expect(message).toContain(`${stream} takes no Unreadable`)
    expect(refused).toEqual([
      JSON.stringify([stream, { type: 'Unreadable', data: { a: 1 }, metadata: { b: 2 } }]),
    ])
    await expect(read()).rejects.toMatchObject({ type: ErrorType.STREAM_NOT_FOUND })
  })
  it('streams of the server: refused with a sentence', async () => {
    for (const name of ['$all', '$ce-x', '$$', '$$$ce-x'])
      expect((await refusal(append('any', some(1), name))).message).toContain(
        `${name} is a system stream: names that start with $ are the server's`,
      )
  })
  it('bytes come back as they were sent, whatever they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
    await append('any', [
      binaryEvent({ type: 'Both', data: bytes, metadata: bytes }),
      binaryEvent({ type: 'Empty', data: new Uint8Array() }),
      jsonEvent({ type: 'Json', data: { text: 'ä\u2028€😀' }, metadata: { also: [null, 1.5] } }),
      jsonEvent({ type: 'Odd', data: 'text', metadata: bytes }),
    ])
    const [both, empty, json, odd] = (await read()).map(({ event }) => event)
    expect(both).toMatchObject({ isJson: false, data: bytes, metadata: bytes })
    expect(empty).toMatchObject({ isJson: false, data: new Uint8Array(), metadata: undefined })
    expect(json).toMatchObject({
      isJson: true,
      data: { text: 'ä\u2028€😀' },
      metadata: { also: [null, 1.5] },
    })
    expect(odd).toMatchObject({ isJson: true, data: 'text', metadata: bytes })
  })
  it('names are any text', async () => {
    stream = 'naïve 流-1'
    await append('any', some(1, 'Größe'))
    expect((await read()).map(({ event }) => [event?.streamId, event?.type])).toEqual([[stream, 'Größe']])
    await running.client.tombstoneStream(stream)
    expect(await refusal(append('any', some(1)))).toMatchObject({ type: ErrorType.STREAM_DELETED })
  })
  it('names that are empty or too long are refused', async () => {
    for (const name of ['', 'x'.repeat(16 * 1024 + 1)])
      expect((await refusal(append('any', some(1), name))).message).toMatch(/stream name/)
  })
})

it('appends of many writers at once all arrive, each stream in its order', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `many-${n}`)
  await Promise.all(
    Array.from({ length: 200 }, (_, n) => running.client.appendToStream(names[n % 8]!, some(2))),
  )
  const all = await collect(running.client.readAll())
  expect(all).toHaveLength(400)
  for (const name of names) {
    const events = await collect(running.client.readStream(name))
    expect(events.map(({ event }) => event!.revision)).toEqual(
      Array.from({ length: 50 }, (_, n) => BigInt(n)),
    )
  }
})

describe('what the client never says', () => {
  const options = (change: (one: streams.AppendReq.Options) => void = () => {}) => {
    const identifier = new shared.StreamIdentifier()
    identifier.setStreamName(Buffer.from(stream))
    const one = new streams.AppendReq.Options()
    one.setStreamIdentifier(identifier)
    one.setAny(new shared.Empty())
    change(one)
    const request = new streams.AppendReq()
    request.setOptions(one)
    return request
  }
  const message = (change: (one: streams.AppendReq.ProposedMessage) => void = () => {}) => {
    const one = new streams.AppendReq.ProposedMessage()
    const id = new shared.UUID()
    id.setString(v4())
    one.setId(id)
    one.getMetadataMap().set('type', 'T').set('content-type', 'application/json')
    one.setData(Buffer.from('{}'))
    change(one)
    const request = new streams.AppendReq()
    request.setProposedMessage(one)
    return request
  }
  const send = (...requests: streams.AppendReq[]): Promise<streams.AppendResp> =>
    new Promise((resolve, reject) => {
      const call = running.raw.append((error, response) => (error ? reject(error) : resolve(response)))
      for (const request of requests) call.write(request)
      call.end()
    })
  const bad = new shared.UUID()
  bad.setString('not-a-uuid')

  it.each([
    ['nothing at all', () => [], /options are missing/],
    ['events without options', () => [message()], /options are missing/],
    ['options twice', () => [options(), options()], /options came twice/],
    ['an empty message', () => [options(), new streams.AppendReq()], /neither options nor an event/],
    ['no stream', () => [options((one) => one.clearStreamIdentifier())], /stream is missing/],
    ['no expected revision', () => [options((one) => one.clearAny())], /expected revision is missing/],
    ['an id that is none', () => [options(), message((one) => one.setId(bad))], /not a UUID: "not-a-uuid"/],
    ['no id', () => [options(), message((one) => one.clearId())], /event id is missing/],
    ['no type', () => [options(), message((one) => one.getMetadataMap().del('type'))], /has no type/],
    [
      'no content type',
      () => [options(), message((one) => one.getMetadataMap().del('content-type'))],
      /has no content type/,
    ],
    [
      'metadata of more than 16 MiB',
      () => [
        options(),
        ...Array.from({ length: 3 }, () =>
          message((one) => one.setCustomMetadata(new Uint8Array(6 * 1024 * 1024))),
        ),
      ],
      /types and ids of an append may have 16777216 bytes/,
    ],
  ] as const)('%s: invalid argument, with a sentence', async (_, requests, sentence) => {
    const error = await refusal(send(...requests()))
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: expect.stringMatching(sentence) })
  })
  it('a client that breaks off in the middle: nothing is written', async () => {
    for (let n = 0; n < 20; n++) {
      const call = running.raw.append(() => {})
      call.on('error', () => {})
      call.write(options())
      call.write(message())
      // Comes and goes over the same connection: what was sent before is there.
      await send(
        options((one) => one.getStreamIdentifier()?.setStreamName(Buffer.from('other-1'))),
        message(),
      )
      call.cancel()
    }
    await running.client.appendToStream('other-1', some(1))
    expect(await refusal(read())).toMatchObject({ type: ErrorType.STREAM_NOT_FOUND })
  })
  it('a stream name in trailers: spaces at its ends and any length are survived', async () => {
    for (const name of [' ends in space ', `${'日'.repeat(333)}🜁${'日'.repeat(4000)}`]) {
      await running.client.appendToStream(name, some(1))
      expect(await refusal(running.client.deleteStream(name, { expectedRevision: 7n }))).toMatchObject({
        type: ErrorType.WRONG_EXPECTED_VERSION,
        actualVersion: 0n,
      })
      await running.client.tombstoneStream(name)
      expect(await refusal(collect(running.client.readStream(name)))).toMatchObject({
        type: ErrorType.STREAM_DELETED,
      })
    }
    const error = await refusal(running.client.appendToStream('x'.repeat(17_000), some(1), paths[1].options))
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      message: expect.stringContaining('more than 16384 bytes'),
    })
  })
  it('metadata in the stream that they rule: refused, they have one of their own', async () => {
    const error = await refusal(
      send(
        options(),
        message((one) => one.getMetadataMap().set('type', '$metadata')),
      ),
    )
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining(`$$${stream}`),
    })
  })
  it('a full disk: unavailable, not a bug; and it goes on when there is room', async () => {
    await running.client.appendToStream(stream, some(1))
    const { writer } = running.db
    const pages = (writer.prepare('PRAGMA page_count').get() as { page_count: number }).page_count
    writer.exec(`PRAGMA max_page_count = ${pages}`)
    const large = jsonEvent({ type: 'Large', data: 'x'.repeat(300_000) })
    expect(await refusal(running.client.appendToStream(stream, large, paths[1].options))).toMatchObject({
      code: status.UNAVAILABLE,
    })
    writer.exec('PRAGMA max_page_count = 1000000')
    expect((await running.client.appendToStream(stream, large, paths[1].options)).nextExpectedRevision).toBe(
      1n,
    )
  })
  it('an id in two halves is the same id', async () => {
    const id = 'fedcba98-7654-4321-8fed-cba987654321'
    const halves = new shared.UUID.Structured()
    halves.setMostSignificantBits(BigInt.asIntN(64, 0xfedcba9876544321n).toString())
    halves.setLeastSignificantBits(BigInt.asIntN(64, 0x8fedcba987654321n).toString())
    const structured = new shared.UUID()
    structured.setStructured(halves)
    await send(
      options(),
      message((one) => one.setId(structured)),
    )
    expect((await read()).map(({ event }) => event?.id)).toEqual([id])
  })
  it('JSON that is none keeps its bytes', async () => {
    const broken = Buffer.from('{"a":')
    await send(
      options(),
      message((one) => one.setData(broken)),
      message((one) => one.setData('')),
    )
    const events = await read()
    expect(events.map(({ event }) => [event?.isJson, event?.data])).toEqual([
      [true, '{"a":'],
      [true, ''],
    ])
  })
  it('JSON text is kept to the letter', async () => {
    const text = '{ "n": 1.0, "big": 12345678901234567890, "n": 2 }'
    await send(
      options(),
      message((one) => one.setData(Buffer.from(text))),
    )
    const row = running.db.reader.prepare('SELECT data FROM events').get()
    expect(row).toEqual({ data: text })
  })
})
