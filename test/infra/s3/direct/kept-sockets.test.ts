import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openBucket } from '#infra/s3/bucket.ts'
import { credentialChain } from '#infra/s3/credentials.ts'
import type { S3Settings } from '#infra/s3/settings.ts'
import { failing, seedObject } from '../../../fakes/s3-server.ts'
import { bytesIn, openStub, someCredentials } from '../opening.ts'

/* One connection carries one reading after the other. */

const some = { lends: 'some' } as const

const opened = async (settings: S3Settings = {}) => {
  const stub = await openStub({ attempts: 1, ...settings })
  onTestFinished(stub.close)
  for (const key of ['a', 'b', 'c'])
    seedObject(stub.server.bucket('bucket'), key, Buffer.from(`${key} `.repeat(99)))
  const read = async (key: string) => bytesIn((await stub.bucket.get(key, some)).body)
  return { ...stub, read }
}

it('is used again', async () => {
  const { server, read } = await opened()
  for (const key of ['a', 'b', 'c']) expect(await read(key)).toBe(`${key} `.repeat(99))
  expect(server.connections()).toBe(1)
})

it('is not used again once its body was left, or its request was refused', async () => {
  const { server, bucket, read } = await opened()
  seedObject(server.bucket('bucket'), 'large', Buffer.alloc(3_000_000))
  const { body } = await bucket.get('large', some)
  await body[Symbol.asyncIterator]().return?.()
  expect(await read('a')).toBe('a '.repeat(99))
  expect(server.connections()).toBe(2)
  server.beforeEach(() => failing(404, 'NoSuchKey'))
  await expect(read('a')).rejects.toMatchObject({ code: 'NoSuchKey' })
  server.beforeEach(undefined)
  expect(await read('b')).toBe('b '.repeat(99))
  expect(server.connections()).toBe(3)
})

it('is opened anew where the server ended it while it rested', async () => {
  const { server, read } = await opened()
  await read('a')
  server.endIdleConnections()
  expect(await read('b')).toBe('b '.repeat(99))
  expect(server.connections()).toBe(2)
})

const head = 'ETag: "a"\r\nLast-Modified: Sat, 31 Jan 2026 12:00:00 GMT\r\n'

/** A server that gets the number of the connection, and that of the request on it, from 1 on. */
const raw = async (onRequest: (socket: Socket, connection: number, request: number) => void) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const connection = sockets.push(socket)
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => onRequest(socket, connection, ++requests))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const bucket = openBucket(
    'bucket',
    { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', attempts: 1 },
    { credentials: credentialChain(undefined, async () => async () => someCredentials()) },
  )
  onTestFinished(async () => {
    await bucket.close()
    await new Promise((closed) => server.close(closed))
  })
  return {
    sockets,
    connections: () => sockets.length,
    read: async () => bytesIn((await bucket.get('key', some)).body),
  }
}

const answer = (text: string) => `HTTP/1.1 200 OK\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`

it('is opened anew where the server ends it as the next request comes; a new one that ends is a failure', async () => {
  const { read, connections } = await raw((socket, connection, request) => {
    if (connection === 3 || request === 2) socket.destroy()
    else socket.write(answer(`from ${connection}`))
  })
  expect(await read()).toBe('from 1')
  expect(await read()).toBe('from 2')
  await expect(read()).rejects.toMatchObject({ status: 0, isTransient: true })
  expect(connections()).toBe(3)
})

it('is not used again where more came than was announced, at once or later', async () => {
  const { read, connections, sockets } = await raw((socket, connection) => {
    if (connection === 1) return void socket.write(`${answer('one')}and more`)
    socket.write(answer('two'))
    if (connection === 2) setImmediate(() => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  })
  expect(await read()).toBe('one')
  expect(await read()).toBe('two')
  await vi.waitFor(() => expect(sockets[1]?.destroyed).toBe(true))
  expect(await read()).toBe('two')
  expect(connections()).toBe(3)
})

it('ends where the server says so', async () => {
  const { read, connections } = await raw((socket) =>
    socket.write(answer('one').replace('\r\n', '\r\nConnection: close\r\n')),
  )
  expect([await read(), await read()]).toEqual(['one', 'one'])
  expect(connections()).toBe(2)
})

it('comes in pieces of any size', async () => {
  const { read } = await raw((socket) => {
    const text = answer('in pieces')
    const write = (at: number): void => {
      socket.write(text.slice(at, at + 7))
      if (at + 7 < text.length) setImmediate(write, at + 7)
    }
    write(0)
  })
  expect([await read(), await read()]).toEqual(['in pieces', 'in pieces'])
})

it('a body that breaks off before its announced length is a failure', async () => {
  const { read } = await raw((socket) => socket.end(answer('in pieces').slice(0, -3)))
  await expect(read()).rejects.toMatchObject({ code: 'TruncatedBody', isTransient: true })
})

it('there are not more at a time than the settings allow; who waits for one can leave', async () => {
  const { server, bucket, read } = await opened({ connections: 2 })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let now = 0
  let most = 0
  server.beforeEach(async () => {
    most = Math.max(most, ++now)
    await gate
    now -= 1
    return undefined
  })
  const readings = ['a', 'b', 'c', 'a', 'b'].map(read)
  const leaving = new AbortController()
  const left = bucket.get('c', { ...some, signal: leaving.signal })
  await vi.waitFor(() => expect(now).toBe(2))
  leaving.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  const much = bucket.get('c', { lends: 'much' })
  await vi.waitFor(() => expect(now).toBe(3))
  most = 2
  open()
  expect(await Promise.all(readings)).toHaveLength(5)
  await (await much).body[Symbol.asyncIterator]().return?.()
  expect(most).toBe(2)
})
