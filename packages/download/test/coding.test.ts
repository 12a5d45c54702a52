import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFetchClient } from '../src/client/fetch-client.ts'
import { codingOf, undone } from '../src/http/coding.ts'
import { type DownloadOptions, download } from '../src/http/download.ts'
import { openPart } from '../src/http/part.ts'
import { request } from '../src/http/request.ts'
import { serve } from './server.ts'

const text = 'a record\n'.repeat(100)
const gz = gzipSync(text)
const allowed = { hosts: undefined, content: 'films', setting: 'the setting' }

/** A server that names a coding for whatever it sends. */
const server = (bytes: Uint8Array, headers: Record<string, string> = { 'content-encoding': 'gzip' }) =>
  serve((_, answer) =>
    answer.writeHead(200, { etag: '"1"', 'content-length': bytes.length, ...headers }).end(bytes),
  )

const useClient = () => {
  const client = createFetchClient()
  onTestFinished(() => client.close())
  return client
}

const fetched = async (uri: string, more: Partial<DownloadOptions> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'coding-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const part = await openPart({ folder, key: 'film', uri, staleMillis: 60_000 })
  const options = { client: useClient(), allowed, stallMillis: 60_000, maxBytes: 10_000, tries: 1, ...more }
  const watch = { signal: new AbortController().signal, progress: () => {} }
  const result = await download(uri, part, undefined, options, watch).catch((error: Error) => error.message)
  const bytes = await readFile(part.path)
  expect((await readdir(folder)).filter((name) => name.endsWith('.coded'))).toEqual([])
  const { etag } = part.representation
  await part.discard()
  return { result, bytes, etag }
}

describe('bytes that a server labels with a coding, though none was asked for', () => {
  it.each([
    ['a file that is packed so by its name', '/a.warc.gz', gz, {}],
    ['one by its type', '/download?id=7', gz, { 'content-type': 'application/x-gzip' }],
    ['one of several members', '/a.gz', Buffer.concat([gz, gz]), {}],
    ['a file whose label is wrong', '/a.mp3', Buffer.from(text), {}],
    ['one that is packed by zstd', '/a.warc.zst', zstdCompressSync(text), { 'content-encoding': 'zstd' }],
    ['one whose label has the older name', '/a.tgz', gz, { 'content-encoding': 'x-gzip' }],
  ])('stay as they came: %s', async (_, path, bytes, headers) => {
    const origin = await server(bytes, { 'content-encoding': 'gzip', ...headers })
    expect(await fetched(`${origin}${path}`)).toEqual({ result: 'whole', bytes, etag: '"1"' })
  })

  it.each([
    ['gzip', gz],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['GZIP', gz],
  ])('lose the coding %s where the file is no such file itself', async (coding, bytes) => {
    const origin = await server(bytes, { 'content-encoding': coding })
    expect(await fetched(`${origin}/list.txt`)).toEqual({
      result: 'whole',
      bytes: Buffer.from(text),
      etag: undefined,
    })
  })

  it('stay as they came where another name of the file says so', async () => {
    const origin = await server(gz)
    expect((await fetched(`${origin}/download`, { names: ['a.warc.gz'] })).bytes).toEqual(gz)
  })

  it('are those that are wanted, whatever the name says', async () => {
    const origin = await server(gz)
    expect((await fetched(`${origin}/a.txt`, { isWanted: async () => true })).bytes).toEqual(gz)
    expect((await fetched(`${origin}/a.gz`, { isWanted: async () => false })).bytes.toString()).toBe(text)
  })

  it('fail the download where they cannot be unpacked', async () => {
    const cut = await server(gz.subarray(0, gz.length - 20))
    expect((await fetched(`${cut}/a.txt`)).result).toMatch(
      /\/a\.txt is sent in the coding gzip, and cannot be unpacked: .*; have the server send it as it is, without Content-Encoding$/,
    )
    const other = await server(gz, { 'content-encoding': 'aes128gcm' })
    expect((await fetched(`${other}/a.txt`)).result).toMatch(
      /is sent in the coding aes128gcm; have the server/,
    )
  })

  it('may not unpack to more than the bound', async () => {
    const bomb = await server(gzipSync(Buffer.alloc(1_000_000)))
    const { result, bytes } = await fetched(`${bomb}/a.txt`)
    expect(result).toMatch(/is larger than 10000 bytes once it is unpacked/)
    expect(bytes.length).toBeLessThanOrEqual(10_000)
  })

  it('are resumed as they came', async () => {
    const ranges: unknown[] = []
    const origin = await serve(({ headers: { range } }, answer) => {
      ranges.push(range)
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
      answer.writeHead(from === 0 ? 200 : 206, {
        etag: '"1"',
        'content-encoding': 'gzip',
        'content-length': gz.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${gz.length - 1}/${gz.length}` }),
      })
      if (from > 0) return answer.end(gz.subarray(from))
      return answer.write(gz.subarray(0, 20), () => setTimeout(() => answer.destroy(), 100))
    })
    // On a busy machine the connection may end before its bytes are read: then all is asked for again.
    const { bytes } = await fetched(`${origin}/a.gz`, { tries: 20, clock: { sleep: async () => {} } })
    expect([bytes, ranges.at(-1), [...new Set(ranges)]]).toEqual([gz, 'bytes=20-', [undefined, 'bytes=20-']])
  })
})

it('the body of an answer is undone for who reads a text', async () => {
  const origin = await server(gz)
  const asking = { signal: new AbortController().signal, begun: () => {} }
  await using answer = await request(useClient(), `${origin}/list`, allowed, {}, asking)
  expect(codingOf(answer.headers)).toBe('gzip')
  const chunks: Uint8Array[] = []
  for await (const chunk of undone(answer)) chunks.push(chunk)
  expect(Buffer.concat(chunks).toString()).toBe(text)
})
