import { once } from 'node:events'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, makeClientConstructor, status } from '@grpc/grpc-js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js'
import { v4 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProtobufWriter } from '#infra/protobuf/writer.ts'
import { patience } from '../../patience.ts'
import { collect, type Running, runGateway } from './running-gateway.ts'

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

const uuid = (text: string) => {
  const one = new shared.UUID()
  one.setString(text)
  return one
}
const chunk = (id: string, parts: { options?: boolean; events?: number; size?: number; final?: boolean }) => {
  const request = new streams.BatchAppendReq()
  request.setCorrelationId(uuid(id))
  request.setIsFinal(parts.final ?? false)
  if (parts.options) {
    const identifier = new shared.StreamIdentifier()
    identifier.setStreamName(Buffer.from('a-1'))
    const options = new streams.BatchAppendReq.Options()
    options.setStreamIdentifier(identifier)
    options.setAny(new empty.Empty())
    request.setOptions(options)
  }
  for (let n = 0; n < (parts.events ?? 0); n++) {
    const message = new streams.BatchAppendReq.ProposedMessage()
    message.setId(uuid(v4()))
    message.getMetadataMap().set('type', 'T').set('content-type', 'application/octet-stream')
    message.setData(new Uint8Array(parts.size ?? 1))
    request.addProposedMessages(message)
  }
  return request
}
const converse = () => {
  const call = running.raw.batchAppend()
  const next = async (): Promise<streams.BatchAppendResp> => (await once(call, 'data'))[0]
  return { call, next }
}

it('an append in chunks, between chunks of another', async () => {
  const { call, next } = converse()
  const [one, other] = [v4(), v4()]
  call.write(chunk(one, { options: true, events: 2 }))
  call.write(chunk(other, { options: true, events: 1 }))
  call.write(chunk(one, { events: 1, final: true }))
  const first = await next()
  expect([first.getCorrelationId()?.getString(), first.getSuccess()?.getCurrentRevision()]).toEqual([
    one,
    '2',
  ])
  call.write(chunk(other, { final: true }))
  expect((await next()).getSuccess()?.getCurrentRevision()).toBe('3')
  call.end()
  await once(call, 'end')
  expect(await collect(running.client.readStream('a-1'))).toHaveLength(4)
})
it('chunks without options, and too large ones, are answered once, and the call goes on', async () => {
  const { call, next } = converse()
  const [lost, large, good] = [v4(), v4(), v4()]
  call.write(chunk(lost, { events: 1 }))
  const answer = (await next()).getError()
  expect(answer?.getMessage()).toContain('options are missing')
  expect(answer?.getDetails()?.getTypeName()).toBe('event_store.client.BadRequest')
  call.write(chunk(large, { options: true, events: 2, size: 600_000 }))
  const refused = await next()
  expect(refused.getError()?.getDetails()?.getTypeName()).toBe('event_store.client.MaximumAppendSizeExceeded')
  expect(Buffer.from(refused.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe('a-1')
  call.write(chunk(large, { events: 1, final: true }))
  call.write(chunk(lost, { final: true }))
  call.write(chunk(good, { options: true, events: 1, final: true }))
  expect((await next()).getCorrelationId()?.getString()).toBe(good)
  call.end()
  await once(call, 'end')
  expect(await collect(running.client.readStream('a-1'))).toHaveLength(1)
})
/** A duration is newer than the generated classes: it is written as field 7 of the options, field 2. */
const withDuration = (request: streams.BatchAppendReq, seconds: number): Buffer => {
  const duration = createProtobufWriter()
  duration.message(7, () => duration.number(1, seconds))
  const options = Buffer.concat([request.getOptions()!.serializeBinary(), duration.finish()])
  const whole = createProtobufWriter()
  whole.bytes(2, options)
  const rest = request.clone()
  rest.clearOptions()
  return Buffer.concat([rest.serializeBinary(), whole.finish()])
}

it('an append whose deadline has passed is answered with Timeout, and is not written', async () => {
  const { batchAppend } = streamServices.StreamsService
  const Sender = makeClientConstructor(
    { batchAppend: { ...batchAppend, requestSerialize: (bytes: Buffer) => bytes } },
    'sender',
  )
  const sender = new Sender(running.address, credentials.createInsecure())
  const call = sender.batchAppend?.()
  const answerTo = async (request: Uint8Array): Promise<string | undefined> => {
    call.write(Buffer.from(request))
    const [answer]: streams.BatchAppendResp[] = await once(call, 'data')
    return answer?.getError()?.getDetails()?.getTypeName() ?? answer?.getSuccess()?.getCurrentRevision()
  }
  const until = (time: number) => {
    const request = chunk(v4(), { options: true, events: 1, final: true })
    request.getOptions()!.setDeadline(timestamp.Timestamp.fromDate(new Date(time)))
    return request
  }
  const late = 'event_store.client.Timeout'
  expect(await answerTo(until(Date.now() - 1).serializeBinary())).toBe(late)
  expect(await answerTo(until(Date.now() + patience).serializeBinary())).toBe('0')
  const whole = chunk(v4(), { options: true, events: 1, final: true })
  expect(await answerTo(withDuration(whole, 0))).toBe(late)
  expect(await answerTo(withDuration(whole, patience / 1000))).toBe('1')
  call.end()
  await once(call, 'end')
  sender.close()
})
it.each([
  ['without a correlation id', () => [new streams.BatchAppendReq()], /correlation id is missing/],
  [
    'with more open appends than a call may hold',
    () => Array.from({ length: 65 }, () => chunk(v4(), { options: true })),
    /more than 64 appends/,
  ],
])('a call %s ends with a sentence', async (_, requests, sentence) => {
  const { call } = converse()
  call.resume()
  for (const request of requests()) call.write(request)
  const [error] = await once(call, 'error')
  expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: expect.stringMatching(sentence) })
})
