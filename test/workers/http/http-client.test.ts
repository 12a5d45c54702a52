import { type AddressInfo, createServer } from 'node:net'
import type { HttpClient } from '@fonds/download'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient } from '#src/workers/http/http-client.ts'
import { threadsStarted } from './threads-started.ts'

const threadModule = new URL('./breaking-http.ts', import.meta.url)

let client: HttpClient
beforeEach(() => {
  client = createHttpClient({ stallMillis: 60_000, threadModule })
})
afterEach(() => client.close())

const asking = () => ({ signal: new AbortController().signal, begun: () => {} })
const get = async (address: string): Promise<string> => {
  await using answer = await client.get(address, {}, asking())
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test.each([
  ['throws', /^could not be fetched: the fetching thread broke: a bug in the library/],
  ['throws in the body', /^could not be fetched: the fetching thread broke: a bug in the library/],
  ['ends', /^could not be fetched: the fetching thread ended by itself with code 3/],
])('a thread that %s fails its own request alone', async (what, why) => {
  const others = [get('well'), get('well')]
  await expect(get(what)).rejects.toThrow(why)
  expect(await Promise.all(others)).toEqual(['what was asked for', 'what was asked for'])
  expect(await get('well')).toBe('what was asked for')
})

test('whoever has read enough ends the request', async () => {
  const answer = await client.get('endless', {}, asking())
  for await (const chunk of answer.body) if (chunk.length > 0) break
  await answer[Symbol.asyncDispose]()
  expect(await get('well')).toBe('what was asked for')
})

test('whoever takes bytes slowly loses no thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await using answer = await client.get('endless', {}, asking())
  let chunks = 0
  for await (const _ of answer.body) {
    vi.advanceTimersByTime(3_600_000)
    if (++chunks === 3) break
  }
  expect(chunks).toBe(3)
})

test('no more threads than are allowed: a request waits for its turn, unless it is aborted', async () => {
  const one = createHttpClient({ stallMillis: 60_000, maxThreads: 1, threadModule })
  onTestFinished(() => one.close())
  const first = await one.get('endless', {}, asking())
  const begun: string[] = []
  const given = new AbortController()
  const dropped = one.get('well', {}, { signal: given.signal, begun: () => begun.push('dropped') })
  const second = one.get('well', {}, { ...asking(), begun: () => begun.push('second') })
  given.abort(new Error('the client left'))
  await expect(dropped).rejects.toThrow('the client left')
  expect(begun).toEqual([])
  await first[Symbol.asyncDispose]()
  expect((await second).status).toBe(200)
  expect(begun).toEqual(['second'])
})

test('a client that is closed starts no thread, also for requests that wait', async () => {
  const one = createHttpClient({ stallMillis: 60_000, maxThreads: 1, threadModule })
  await one.get('endless', {}, asking())
  const waiting = expect(one.get('well', {}, asking())).rejects.toThrow('the HTTP client is closed')
  const started = threadsStarted()
  await one.close()
  await waiting
  await expect(one.get('well', {}, asking())).rejects.toThrow('the HTTP client is closed')
  expect(started).toEqual([])
})

test.each(['Connection: close', 'Content-Length: 65536\r\nConnection: close'])(
  'a server that closes before its body is read (%s): it is all there',
  async (headers) => {
    const body = Buffer.alloc(65_536, 'x')
    const closed = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('close', () => closed.resolve())
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`)
        socket.end(body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const real = createHttpClient({ stallMillis: 60_000 })
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      await using answer = await real.get(address, {}, asking())
      await closed.promise
      let bytes = 0
      for await (const chunk of answer.body) bytes += chunk.length
      expect(bytes).toBe(body.length)
    } finally {
      await real.close()
      await new Promise((resolve) => server.close(resolve))
    }
  },
)
