import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucket } from '#infra/s3/bucket.ts'
import { credentialChain } from '#infra/s3/credentials.ts'
import { directRequests } from '#infra/s3/direct/requests.ts'
import { S3Error } from '#infra/s3/errors.ts'
import type { S3Settings } from '#infra/s3/settings.ts'
import { failing, seedObject, slowDown } from '../../../fakes/s3-server.ts'
import { serverTls, tlsFiles } from '../../../fixtures/tls/files.ts'
import { openStub, someCredentials } from '../opening.ts'

/* Large bodies come over connections of their own, each read into one buffer. */

const content = randomBytes(3_000_000)

const stubWith = async (settings: S3Settings = {}) => {
  const stub = await openStub({ attempts: 3, ...settings })
  onTestFinished(stub.close)
  seedObject(stub.server.bucket('bucket'), 'key', content)
  return stub
}

const copied = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const large = { lends: 'much' } as const

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  return (server.address() as AddressInfo).port
}
const sockets: Socket[] = []

/** A server that answers each request with these bytes, whatever it is. */
const raw = async (answer: (socket: Socket, request: string) => void, settings: S3Settings = {}) => {
  const port = await listening(
    createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', (request) => answer(socket, request.toString()))
    }),
  )
  return opened(`http://127.0.0.1:${port}`, settings)
}

const opened = (endpoint: string, settings: S3Settings = {}) => {
  const bucket = openBucket(
    'bucket',
    { endpoint, region: 'us-east-1', attempts: 1, ...settings },
    { credentials: credentialChain(undefined, async () => async () => someCredentials()) },
  )
  onTestFinished(bucket.close)
  return bucket
}

const refusal = '<Error><Code>NoSuchKey</Code></Error>'
const object = 'Content-Length: 5\r\nETag: "a"\r\nLast-Modified: Sat, 31 Jan 2026 12:00:00 GMT\r\n'

describe('a large body', () => {
  it('comes whole, and by ranges, as others do', async () => {
    const { bucket } = await stubWith()
    const plain = await bucket.get('key')
    await copied(plain.body)
    const { object, body } = await bucket.get('key', large)
    expect(object).toEqual(plain.object)
    expect((await copied(body)).equals(content)).toBe(true)
    const part = await bucket.get('key', { ...large, from: 1000, to: 2_000_001 })
    expect((await copied(part.body)).equals(content.subarray(1000, 2_000_001))).toBe(true)
  })

  it('waits for who reads it: a piece is not overwritten before the next is asked for', async () => {
    const { bucket } = await stubWith()
    const { body } = await bucket.get('key', large)
    let at = 0
    for await (const chunk of body) {
      await pause(5)
      expect(content.subarray(at, at + chunk.length).equals(chunk)).toBe(true)
      at += chunk.length
    }
    expect(at).toBe(content.length)
  })

  it.each([
    ['NoSuchKey', failing(404, 'NoSuchKey'), { status: 404, code: 'NoSuchKey', isTransient: false }, 1],
    ['SlowDown', slowDown, { status: 503, code: 'SlowDown', isTransient: true }, 3],
    ['a reset', { kind: 'refuse' }, { status: 0, isTransient: true }, 3],
  ] as const)('fails as others do: %s', async (_, fault, failure, requests) => {
    const { bucket, server } = await stubWith()
    server.beforeEach(() => fault)
    await expect(bucket.get('key', large)).rejects.toMatchObject(failure)
    expect(server.count('GetObject')).toBe(requests)
  })

  it.each([
    ['is reset', { kind: 'cut', afterBytes: 1_000_000 }],
    ['ends before its announced length', { kind: 'length', contentLength: 4_000_000 }],
  ] as const)('that %s is not taken for whole', async (_, fault) => {
    const { bucket, server } = await stubWith()
    server.beforeEach(() => fault)
    const { body } = await bucket.get('key', large)
    const error: unknown = await copied(body).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(S3Error)
    expect(error).toMatchObject({ isTransient: true })
  })

  it('of a server that falls silent ends after the timeout, not while nobody asks for more', async () => {
    const { bucket, server } = await stubWith({ timeoutMillis: 300 })
    const slow = (await bucket.get('key', large)).body[Symbol.asyncIterator]()
    await slow.next()
    await pause(600)
    expect(await slow.next()).toMatchObject({ done: false })
    await slow.return?.()
    server.beforeEach(() => ({ kind: 'slow', pieceBytes: 100_000, pauseMillis: 2000 }))
    const { body } = await bucket.get('key', large)
    await expect(copied(body)).rejects.toMatchObject({ code: 'ETIMEDOUT', isTransient: true })
  })

  it('is left when its signal aborts, with the reason, and when nobody reads it', async () => {
    const { bucket, server } = await stubWith()
    const stop = new AbortController()
    const { body } = await bucket.get('key', { ...large, signal: stop.signal })
    const reading = copied(body)
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    server.beforeEach(() => ({ kind: 'delay', millis: 60_000 }))
    const late = new AbortController()
    const waiting = bucket.get('key', { ...large, signal: late.signal })
    late.abort(new Error('enough of it'))
    await expect(waiting).rejects.toThrow('enough of it')
  })

  it('comes over TLS, from a server whose authority is trusted', async () => {
    const server = createTlsServer(serverTls, (_, response) => {
      const date = 'Sat, 31 Jan 2026 12:00:00 GMT'
      const headers = { 'content-length': content.length, etag: '"a"', 'last-modified': date }
      response.writeHead(200, headers).end(content)
    })
    const port = await listening(server)
    const endpoint = `https://localhost:${port}`
    const { body } = await opened(endpoint, { ca: readFileSync(tlsFiles.authority, 'utf8') }).get(
      'key',
      large,
    )
    expect((await copied(body)).equals(content)).toBe(true)
    await expect(opened(endpoint).get('key', large)).rejects.toMatchObject({
      isTransient: false,
      message: expect.stringMatching(/certificate.*FONDS_S3_CA/),
    })
  })

  it('without a length is no answer', async () => {
    const chunked = object.replace(/Content-Length.*\r\n/, 'Transfer-Encoding: chunked\r\n')
    const bucket = await raw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n${chunked}\r\n5\r\nhello\r\n0\r\n\r\n`),
    )
    await expect(bucket.get('key', large)).rejects.toMatchObject({ code: 'InvalidAnswer' })
  })

  it('that is longer than announced ends where it was announced to', async () => {
    const bucket = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\n${object}\r\nhello, world`))
    expect((await copied((await bucket.get('key', large)).body)).toString()).toBe('hello')
  })

  it.each([
    [
      'in chunks',
      'Transfer-Encoding: chunked\r\n',
      `${refusal.length.toString(16)}\r\n${refusal}\r\n0\r\n\r\n`,
    ],
    ['to the end of the connection', '', refusal],
  ])('that is refused is refused with the code of the server, sent %s', async (_, header, body) => {
    const bucket = await raw((socket) => socket.end(`HTTP/1.1 404 Not Found\r\n${header}\r\n${body}`))
    await expect(bucket.get('key', large)).rejects.toMatchObject({ status: 404, code: 'NoSuchKey' })
  })

  it.each(['SSH-2.0-OpenSSH\r\n\r\n', ''])('is no answer in %j', async (text) => {
    const bucket = await raw((socket) => socket.end(text))
    await expect(bucket.get('key', large)).rejects.toMatchObject({ status: 0, isTransient: true })
  })

  it('goes as all others do where a proxy is set', () => {
    expect(directRequests({}, {})).toBeDefined()
    expect(directRequests({ proxy: 'http://127.0.0.1:1' }, {})).toBeUndefined()
    expect(directRequests({}, { HTTPS_PROXY: 'http://127.0.0.1:1' })).toBeUndefined()
  })
})
