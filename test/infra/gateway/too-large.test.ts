import { once } from 'node:events'
import { connect } from 'node:http2'
import { status } from '@grpc/grpc-js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createNames } from './record/names.ts'
import { appendRequests } from './record/requests.ts'
import { type Running, runGateway } from './running-gateway.ts'

let running: Running
beforeEach(async () => {
  running = await runGateway()
})
afterEach(() => running.dispose())

/** A message as gRPC frames it. */
const framed = (message: { serializeBinary(): Uint8Array }): Buffer => {
  const bytes = message.serializeBinary()
  const head = Buffer.alloc(5)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/* Over HTTP/2 alone: a gRPC client would hide that nobody takes the rest of what it sends. */
it.each([
  ['a message of 18 MiB', [18 * 1024 * 1024], status.RESOURCE_EXHAUSTED, 'exceeds the maximum configured'],
  [
    'forty of 700 kB',
    Array.from({ length: 40 }, () => 700_000),
    status.INVALID_ARGUMENT,
    'Maximum Append Size',
  ],
])('%s: answered while it is sent, and taken to its end', async (_, sizes, code, sentence) => {
  // Megabytes that may wait on this side.
  const session = connect(`http://${running.address}`, { maxSessionMemory: 100 })
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Append',
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  const events = sizes.map((bytes, n) => ({ id: `e${n}`, bytes }))
  const answered = once(call, 'response')
  const ended = once(call.resume(), 'close')
  for (const message of appendRequests('a-1', 'any', events, createNames())) call.write(framed(message))
  call.end()
  const [headers] = await answered
  expect(headers['grpc-status']).toBe(String(code))
  expect(decodeURI(headers['grpc-message'])).toContain(sentence)
  await ended
  session.destroy()
})
