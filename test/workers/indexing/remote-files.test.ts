import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { createRemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { warc } from './archive.ts'
import { temporaryFolder } from './temporary-folder.ts'

/* Archive files on servers: what is looked at, and what a copy of them is taken for (W4, W13, W16, W35). */

const bytes = warc('http://example.org/', 'http://example.org/2')
const date = 'Sat, 31 Jan 2026 12:00:00 GMT'
const hold = { signal: new AbortController().signal, progress: () => {} }

const served = async (listener: RequestListener, hosts: string | undefined = undefined) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = join(temporaryFolder(), 'fetched')
  const remote = createRemoteFiles({
    folder,
    hosts,
    stallMillis: 60_000,
    clock: { ...systemClock, sleep: async () => {} },
    tries: 2,
  })
  onTestFinished(async () => {
    await remote.close()
    server.closeAllConnections()
    server.close()
  })
  const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.warc.gz`
  const read = async (more: object = {}) => {
    const look = await remote.stat({ location, ...more }, hold)
    if (E.isLeft(look)) return look.left
    return remote.withCopy(look.right, hold, async (path) => ({ ...look.right, bytes: readFileSync(path) }))
  }
  return { folder, location, read }
}

const headers = { etag: '"1"', 'last-modified': date }

/** A server that keeps to HTTP, with ranges. */
const good: RequestListener = ({ headers: { range } }, answer) => {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  const end = Math.min(to === '' ? bytes.length : Number(to) + 1, bytes.length)
  if (range === undefined)
    return answer.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
  return answer
    .writeHead(206, { ...headers, 'content-range': `bytes ${from}-${end - 1}/${bytes.length}` })
    .end(bytes.subarray(Number(from), end))
}
/** One that has none. */
const simple: RequestListener = (_, answer) =>
  answer.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)

it.each([
  ['with ranges', good, { hasRanges: true }],
  ['without ranges', simple, {}],
])('a file on a server %s is there while it is read, and no longer', async (_, listener, more) => {
  const { read, folder, location } = await served(listener)
  expect(await read()).toEqual({
    address: location,
    size: bytes.length,
    bytes,
    modifiedAt: '2026-01-31T12:00:00.000Z',
    changedAt: '2026-01-31T12:00:00.000Z',
    validators: { etag: '"1"', lastModified: date },
    ...more,
  })
  expect(readdirSync(folder)).toEqual([])
})

it('the date that the list shows stands for the file', async () => {
  const { read } = await served(good)
  expect(await read({ modifiedAt: '2026-01-30T00:00:00.123Z' })).toMatchObject({
    modifiedAt: '2026-01-30T00:00:00.123Z',
    changedAt: '2026-01-31T12:00:00.000Z',
  })
})

it('an answer that breaks off is resumed, and never taken for a file that is cut', async () => {
  let answers = 0
  const { read } = await served((asked, answer) => {
    if (asked.headers.range === 'bytes=0-0' || answers++ > 0) return good(asked, answer)
    answer.writeHead(200, { ...headers, 'content-length': bytes.length })
    return answer.write(bytes.subarray(0, 100), () => answer.destroy())
  })
  expect(await read()).toMatchObject({ bytes })
  expect(answers).toBe(2)
})

it('a server that always breaks off fails after finite tries', async () => {
  const { read } = await served((asked, answer) => {
    if (asked.headers.range === 'bytes=0-0') return good(asked, answer)
    answer.writeHead(200, { ...headers, 'content-length': bytes.length })
    return answer.write(bytes.subarray(0, 100), () => answer.destroy())
  })
  expect(await read()).toMatchObject({
    status: 'failed',
    code: 'unreadable',
    reason: expect.stringMatching(/a\.warc\.gz broke off.*; tried 2 times/),
  })
})

it('a file that changes meanwhile is no failure: it is read when it stands still', async () => {
  let looks = 0
  const { read } = await served((asked, answer) => {
    if (asked.headers.range !== 'bytes=0-0' || looks++ === 0) return good(asked, answer)
    return answer.writeHead(206, { etag: '"2"', 'content-range': `bytes 0-0/${bytes.length + 9}` }).end('x')
  })
  expect(await read()).toMatchObject({ status: 'growing', size: bytes.length + 9 })
})

const answers =
  (status: number, more: object = {}, body: string | Buffer = ''): RequestListener =>
  (_, answer) =>
    answer.writeHead(status, { ...more }).end(body)

it.each<[string, RequestListener, object]>([
  ['that is not there', answers(404), { code: 'not-found', reason: expect.stringMatching(/answered 404/) }],
  [
    'that nobody may read',
    answers(403),
    { code: 'unreadable', reason: expect.stringMatching(/403 Forbidden; tried 2 times, it is not open/) },
  ],
  [
    'of a server that is out of order',
    answers(503),
    { code: 'unreadable', reason: expect.stringMatching(/503 Service Unavailable; tried 2 times/) },
  ],
  [
    'whose length is not said',
    answers(200, { connection: 'close', 'transfer-encoding': 'chunked' }, bytes),
    { code: 'unreadable', reason: expect.stringMatching(/without its length/) },
  ],
  [
    'that is packed on the way',
    answers(200, { 'content-encoding': 'br' }, gzipSync('text')),
    { code: 'unreadable', reason: expect.stringMatching(/coding br.*without Content-Encoding/) },
  ],
  ['that redirects for ever', answers(302, { location: '/a.warc.gz' }), { code: 'unreadable' }],
])('a file %s fails with its reason', async (_, listener, failure) => {
  const { read, folder } = await served(listener)
  expect(await read()).toMatchObject({ status: 'failed', ...failure })
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})

it('a file that its server labels with its own coding is read as it comes', async () => {
  const labelled: RequestListener = (_, answer) =>
    answer
      .writeHead(200, { ...headers, 'content-encoding': 'gzip', 'content-length': bytes.length })
      .end(bytes)
  const { read } = await served(labelled)
  expect(await read()).toMatchObject({ size: bytes.length, bytes })
})

it('an empty file is one of no bytes', async () => {
  const { read } = await served((asked, answer) =>
    asked.headers.range === undefined
      ? answer.writeHead(200, { ...headers, 'content-length': 0 }).end()
      : answer.writeHead(416, { ...headers, 'content-range': 'bytes */0' }).end(),
  )
  expect(await read()).toMatchObject({ size: 0, bytes: Buffer.alloc(0) })
})

it('a redirect to a host that is not allowed is not followed', async () => {
  const { read } = await served(answers(302, { location: 'http://localhost:1/secret' }), '127.0.0.1')
  expect(await read()).toMatchObject({
    status: 'failed',
    code: 'unreadable',
    reason: expect.stringMatching(/redirects to localhost, which .*FONDS_INGEST_HOSTS/),
  })
})
