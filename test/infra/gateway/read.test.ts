import { BACKWARDS, END, ErrorType, FORWARDS, jsonEvent, START } from '@eventstore/db-client'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status } from '@grpc/grpc-js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect, type Running, refusal, runGateway, some } from './running-gateway.ts'

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

const revisions = async (options: Parameters<Running['client']['readStream']>[1], stream = 'a-1') =>
  (await collect(running.client.readStream(stream, options))).map(({ event }) => Number(event?.revision))
const positions = async (options: Parameters<Running['client']['readAll']>[0]) =>
  (await collect(running.client.readAll(options))).map(({ event }) => Number(event?.position?.commit))

describe('one stream', () => {
  it('from a revision on, inclusive, in both directions, as many as are asked for', async () => {
    await running.client.appendToStream('a-1', some(6))
    expect(await revisions({})).toEqual([0, 1, 2, 3, 4, 5])
    expect(await revisions({ fromRevision: 2n, maxCount: 3 })).toEqual([2, 3, 4])
    expect(await revisions({ fromRevision: 9n })).toEqual([])
    expect(await revisions({ direction: BACKWARDS, fromRevision: END })).toEqual([5, 4, 3, 2, 1, 0])
    expect(await revisions({ direction: BACKWARDS, fromRevision: 2n })).toEqual([2, 1, 0])
    expect(await revisions({ direction: BACKWARDS, fromRevision: 99n, maxCount: 1 })).toEqual([5])
    expect(await revisions({ direction: BACKWARDS, fromRevision: START })).toEqual([0])
    const error = { code: status.UNKNOWN, message: expect.stringContaining('Unexpected ReadStreamResult') }
    await expect(revisions({ direction: FORWARDS, fromRevision: END })).rejects.toMatchObject(error)
    await expect(revisions({ maxCount: 0 })).rejects.toMatchObject(error)
  })
  it('longer than a page, and larger than a page', async () => {
    const large = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(300_000) } })
    for (let n = 0; n < 4; n++) await running.client.appendToStream('a-1', some(200))
    for (let n = 0; n < 4; n++) await running.client.appendToStream('a-1', [large(), large(), large()])
    expect(await revisions({})).toEqual(Array.from({ length: 812 }, (_, n) => n))
    expect(await revisions({ direction: BACKWARDS, fromRevision: END, maxCount: 500 })).toEqual(
      Array.from({ length: 500 }, (_, n) => 811 - n),
    )
  })
  it('that is missing: StreamNotFound', async () => {
    await expect(revisions({}, 'none-1')).rejects.toMatchObject({
      type: ErrorType.STREAM_NOT_FOUND,
      streamName: 'none-1',
    })
  })
  it('that is tombstoned: StreamDeleted', async () => {
    await running.client.tombstoneStream('a-1')
    await expect(revisions({})).rejects.toMatchObject({ type: ErrorType.STREAM_DELETED, streamName: 'a-1' })
  })
  it('an event has its id, type, time and place', async () => {
    const before = Date.now()
    const one = jsonEvent({ id: uuid(), type: 'T', data: { a: 1 }, metadata: { b: 2 } })
    await running.client.appendToStream('a-1', one)
    const [{ event, commitPosition } = {}] = await collect(running.client.readStream('a-1'))
    expect(event).toMatchObject({
      id: one.id,
      type: 'T',
      streamId: 'a-1',
      revision: 0n,
      position: { commit: 1n, prepare: 1n },
      data: { a: 1 },
      metadata: { b: 2 },
    })
    expect(commitPosition).toBe(1n)
    expect(event?.created.getTime()).toBeGreaterThanOrEqual(before)
    expect(event?.created.getTime()).toBeLessThanOrEqual(Date.now())
  })
})

describe('the whole log', () => {
  it('forward from a position on, inclusive; backward from what lies before it', async () => {
    await running.client.appendToStream('a-1', some(3))
    await running.client.appendToStream('b-1', some(3))
    const at = (n: bigint) => ({ commit: n, prepare: n })
    expect(await positions({})).toEqual([1, 2, 3, 4, 5, 6])
    expect(await positions({ fromPosition: at(3n), maxCount: 2 })).toEqual([3, 4])
    expect(await positions({ fromPosition: END })).toEqual([])
    expect(await positions({ direction: BACKWARDS, fromPosition: END, maxCount: 2 })).toEqual([6, 5])
    expect(await positions({ direction: BACKWARDS, fromPosition: at(3n) })).toEqual([2, 1])
    expect(await positions({ direction: BACKWARDS, fromPosition: START })).toEqual([])
    expect(await positions({ fromPosition: at(2n ** 64n - 1n) })).toEqual([])
  })
})

const request = (change: (one: streams.ReadReq.Options) => void = () => {}): streams.ReadReq => {
  const { Options } = streams.ReadReq
  const one = new Options()
  const all = new Options.AllOptions()
  all.setStart(new shared.Empty())
  one.setAll(all)
  one.setCount('1000')
  one.setNoFilter(new shared.Empty())
  const ids = new Options.UUIDOption()
  ids.setString(new shared.Empty())
  one.setUuidOption(ids)
  change(one)
  const whole = new streams.ReadReq()
  whole.setOptions(one)
  return whole
}

const filter = (change: (one: streams.ReadReq.Options.FilterOptions, of: Expression) => void) => {
  const { FilterOptions } = streams.ReadReq.Options
  const one = new FilterOptions()
  const of = new FilterOptions.Expression()
  one.setStreamIdentifier(of)
  one.setCount(new shared.Empty())
  one.setCheckpointintervalmultiplier(1)
  change(one, of)
  return (options: streams.ReadReq.Options) => options.setFilter(one)
}
type Expression = streams.ReadReq.Options.FilterOptions.Expression

const answers = (asked: streams.ReadReq) =>
  collect(running.raw.read(asked) as AsyncIterable<streams.ReadResp>)

describe('what the client never says', () => {
  it.each([
    ['no options', () => new streams.ReadReq(), /options are missing/],
    ['neither stream nor all', () => request((one) => one.clearAll()), /a stream or all/],
    ['neither count nor subscription', () => request((one) => one.clearCount()), /a count or a subscription/],
    ['neither filter nor none', () => request((one) => one.clearNoFilter()), /a filter or no filter/],
    ['no uuid option', () => request((one) => one.clearUuidOption()), /uuid option is missing/],
    ['from nowhere', () => request((one) => one.getAll()!.clearStart()), /from where to read/],
    [
      'a bad expression',
      () => request(filter((_, of) => of.setRegex('(a'))),
      /regular expression cannot be used here \(it has a group without its end\)/,
    ],
    [
      'an expression that is too long',
      () => request(filter((_, of) => of.setRegex('a'.repeat(1001)))),
      /1001 characters: it may have 1000/,
    ],
    [
      'a filter of nothing',
      () => request(filter((one) => one.clearStreamIdentifier())),
      /^'\{ "count": \{ \}, "checkpointIntervalMultiplier": 1 \}' is not a valid/,
    ],
    ['a window of 0', () => request(filter((one) => one.setMax(0))), /search window of the filter is 0/],
    [
      'a subscription with a checkpoint interval of 0',
      () =>
        request((one) => {
          filter((of) => of.setCheckpointintervalmultiplier(0))(one)
          one.setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
        }),
      /checkpoint interval of the filter is 0/,
    ],
  ] as const)('%s: invalid argument, with a sentence', async (_, asked, sentence) => {
    const error = await refusal(answers(asked()))
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: expect.stringMatching(sentence) })
  })
  it('an expression that would take for ever is interrupted and refused', async () => {
    await running.client.appendToStream('a'.repeat(60), some(1))
    const error = await refusal(answers(request(filter((_, of) => of.setRegex('^(a+)+b$')))))
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/takes too long/),
    })
    expect(await positions({})).toEqual([1])
  })
  it('the first and the last revision, to clients that know them: also where nothing is found', async () => {
    const bounds = async (from: string, count = '9', back = false) => {
      const responses = await answers(
        request((one) => {
          const stream = new streams.ReadReq.Options.StreamOptions().setRevision(from)
          stream.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('a-1')))
          one.setStream(stream).setCount(count).setNoFilter(new shared.Empty())
          if (back) one.setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS)
          one.setControlOption(new streams.ReadReq.Options.ControlOption().setCompatibility(1))
        }),
      )
      return responses.map((one) => {
        if (one.hasFirstStreamPosition()) return `first ${one.getFirstStreamPosition()}`
        if (one.hasLastStreamPosition()) return `last ${one.getLastStreamPosition()}`
        return one.getEvent()?.getEvent()?.getStreamRevision()
      })
    }
    await running.client.appendToStream('a-1', some(70))
    expect(await bounds('68')).toEqual(['68', '69', 'last 69'])
    expect(await bounds('1', '1', true)).toEqual(['1', 'last 69'])
    expect(await bounds('70')).toEqual(['last 69'])
    expect(await bounds('99')).toEqual(['first 70', 'last 69'])
    await running.client.setStreamMetadata('a-1', { truncateBefore: 69 })
    expect(await bounds('68')).toEqual(['69', 'last 69'])
    expect(await bounds('0')).toEqual(['first 69', '69', 'last 69'])
    await running.client.setStreamMetadata('a-1', { truncateBefore: 99 })
    expect(await bounds('0')).toEqual(['first 70', 'last 69'])
  })
  it('a count with a filter, in both directions', async () => {
    for (let n = 0; n < 5; n++) {
      await running.client.appendToStream('a-1', some(100))
      await running.client.appendToStream('b-1', some(100))
    }
    const ofB = filter((_, of) => of.setPrefixList(['b-']))
    const read = async (change: (one: streams.ReadReq.Options) => void) => {
      const responses = await answers(
        request((one) => {
          ofB(one)
          change(one)
        }),
      )
      return responses.map((one) => Number(one.getEvent()?.getCommitPosition()))
    }
    expect((await read((one) => one.setCount('150'))).slice(-1)).toEqual([350])
    const back = await read((one) => {
      one.setCount('150')
      one.setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS)
      one.getAll()!.setEnd(new shared.Empty())
    })
    expect([back.length, back[0], back.at(-1)]).toEqual([150, 1000, 751])
  })
  it('ids come in two halves where that is asked for', async () => {
    const id = 'fedcba98-7654-4321-8fed-cba987654321'
    await running.client.appendToStream('a-1', jsonEvent({ id, type: 'T', data: {} }))
    const ids = new streams.ReadReq.Options.UUIDOption()
    ids.setStructured(new shared.Empty())
    const [answer] = await answers(request((one) => one.setUuidOption(ids)))
    const halves = answer?.getEvent()?.getEvent()?.getId()?.getStructured()
    const hex = [halves?.getMostSignificantBits(), halves?.getLeastSignificantBits()].map((half) =>
      BigInt.asUintN(64, BigInt(half ?? 0)).toString(16),
    )
    expect(hex).toEqual(['fedcba9876544321', '8fedcba987654321'])
  })
})
