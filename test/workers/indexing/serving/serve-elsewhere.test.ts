import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import { createSemaphore } from '#src/async/semaphore.ts'
import { serveFile } from '#src/workers/indexing/serving/serve-file.ts'
import { httpResponse, packed, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { failing, type S3Server, seedObject, startS3 } from '../../../fakes/s3-server.ts'
import { serveFolder } from '../../../infra/content/http/serve-folder.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { waczOf } from '../wacz/make-wacz.ts'

/* Archive files in buckets and behind HTTP are served by ranges from where they are. */

const large = packed(
  warcRecord({ url: 'http://example.com/open', block: httpResponse({ body: randomBytes(900_000) }) }),
)
const secret = packed(warcRecord({ url: 'http://example.com/secret' }))
const bytes = Buffer.concat([packed(warcinfo()), secret, large, secret])
const largeAt = bytes.indexOf(large)
const wacz = waczOf({ 'one.warc.gz': Buffer.concat([packed(warcinfo()), secret]), 'two.warc.gz': large })
const files: Readonly<Record<string, Buffer>> = {
  'a.warc.gz': bytes,
  'a.wacz': wacz,
  'passwd.warc.gz': Buffer.from('root:x:0:0'),
}

let server: S3Server
let web: Awaited<ReturnType<typeof serveFolder>>
let open: (root: string) => ReturnType<typeof openContent>
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  server = await startS3()
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    seedObject(server.bucket('bucket'), `x y/${name}`, content)
    writeFileSync(join(folder, name), content)
  }
  web = await serveFolder(folder)
  onTestFinished(async () => {
    await server.close()
    await web.close()
  })
  const s3 = { endpoint: server.endpoint, region: 'us-east-1', attempts: 1 }
  open = (root) => openContent(root, { s3 })
})

const at = {
  S3: (name: string) => `s3://bucket/x y/${name}`,
  HTTP: (name: string) => `${web.address}/${name}`,
}

const stallMillis = 60_000

interface Asked {
  readonly range?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isRuled?: boolean
  readonly foreign?: boolean
}

const ask = async (
  where: keyof typeof at,
  name: string,
  { range, headers, isRuled, foreign }: Asked = {},
) => {
  const request = {
    method: 'GET',
    headers: { ...headers, ...(range !== undefined && { range }) },
    name,
    ...(isRuled && {
      accessTo: async ({ url }: { url: string }) =>
        url === 'http://example.com/open' ? ('seen' as const) : ('unseen' as const),
    }),
  }
  const served = await serveFile(
    [{ location: at[where](name), ...(foreign && { foreign }) }],
    request,
    open,
    stallMillis,
  )
  if (E.isLeft(served)) return served.left
  const { status, headers: sent, body } = served.right
  return { status, headers: sent, body: await buffer(body) }
}

/** Serves it to a client that reads nothing; `end`: how that ends. */
const stalled = async (where: keyof typeof at, one: (root: string) => ReturnType<typeof openContent>) => {
  const request = { method: 'GET', headers: {}, name: 'a.warc.gz' }
  const served = await serveFile([{ location: at[where]('a.warc.gz') }], request, one, 50)
  if (E.isLeft(served)) throw new Error(served.left.message)
  const { body } = served.right
  return { end: new Promise<string>((resolve) => body.once('error', (error) => resolve(String(error)))) }
}

const rangeOf = (part: Buffer, whole: Buffer = bytes) =>
  `bytes=${whole.indexOf(part)}-${whole.indexOf(part) + part.length - 1}`

describe.each(['S3', 'HTTP'] as const)('an archive file on %s', (where) => {
  it('is not held for clients that stop reading: eight of them keep nobody waiting', async () => {
    const turns = createSemaphore(8)
    const context = { signal: new AbortController().signal, progress: () => {} }
    const one = (root: string) => {
      const store = open(root)
      return {
        ...store,
        read:
          (...of: Parameters<typeof store.read>) =>
          () =>
            turns.run(context, () => store.read(...of)()),
      }
    }
    const clients = await Promise.all(Array.from({ length: 8 }, () => stalled(where, one)))
    const request = { method: 'GET', headers: {}, name: 'a.warc.gz' }
    const served = await serveFile([{ location: at[where]('a.warc.gz') }], request, one, stallMillis)
    expect(E.isRight(served) && (await buffer(served.right.body)).equals(bytes)).toBe(true)
    for (const { end } of clients) expect(await end).toContain('read nothing of')
  })

  it('is served whole, by ranges, and by conditions', async () => {
    const whole = await ask(where, 'a.warc.gz')
    expect(whole).toMatchObject({ status: 200, headers: { 'content-length': String(bytes.length) } })
    expect('body' in whole && whole.body.equals(bytes)).toBe(true)
    const part = await ask(where, 'a.warc.gz', { range: rangeOf(large) })
    expect(part).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes ${largeAt}-${largeAt + large.length - 1}/${bytes.length}` },
    })
    expect('body' in part && part.body.equals(large)).toBe(true)
    expect(await ask(where, 'a.warc.gz', { range: `bytes=${bytes.length}-` })).toMatchObject({ status: 416 })
    const etag = 'headers' in whole ? String(whole.headers.etag) : ''
    expect(await ask(where, 'a.warc.gz', { headers: { 'if-none-match': etag } })).toMatchObject({
      status: 304,
    })
    expect(await ask(where, 'a.warc.gz', { headers: { 'if-match': '"other"' } })).toMatchObject({
      status: 412,
    })
  })

  it('is served under rules a record at a time, a WACZ as well', async () => {
    for (const [name, whole] of [
      ['a.warc.gz', bytes],
      ['a.wacz', wacz],
    ] as const) {
      const record = await ask(where, name, { range: `bytes=${whole.indexOf(large)}-`, isRuled: true })
      expect('body' in record && record.body.equals(large), name).toBe(true)
      for (const range of [rangeOf(secret, whole), 'bytes=0-', `bytes=${whole.indexOf(large) + 1}-`])
        expect(await ask(where, name, { range, isRuled: true }), range).toMatchObject({
          code: 'no-such-record',
        })
      expect(await ask(where, name, { isRuled: true })).toMatchObject({ code: 'no-such-record' })
    }
  })

  it('is not disclosed where it is no archive, nor said to be there where it is not', async () => {
    expect(await ask(where, 'passwd.warc.gz')).toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/no WARC, ARC or WACZ file/),
    })
    expect(await ask(where, 'none.warc.gz')).toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/is not there/),
    })
  })

  it('is not served from the server of a stranger', async () => {
    const foreign = await ask(where, 'a.warc.gz', { foreign: true, range: rangeOf(large) })
    if (where === 'HTTP') expect(foreign).toMatchObject({ message: expect.stringMatching(/ask that server/) })
    else expect(foreign).toMatchObject({ status: 206 })
  })
})

it('a range is one request for its bytes, once the file is known as an archive', async () => {
  await ask('S3', 'a.warc.gz', { range: rangeOf(large) })
  server.forgetCounts()
  await ask('S3', 'a.warc.gz', { range: rangeOf(large) })
  expect([server.count('GetObject'), server.count('HeadObject')]).toEqual([1, 1])
})

it('an answer breaks off where the object cannot be read on, or is another by then', async () => {
  await ask('S3', 'a.warc.gz')
  server.beforeEach(({ kind }) => {
    if (kind !== 'GetObject') return undefined
    server.beforeEach(() => failing(404, 'NoSuchKey'))
    return { kind: 'cut', afterBytes: 100_000 }
  })
  await expect(ask('S3', 'a.warc.gz', { range: rangeOf(large) })).rejects.toThrow(
    /changed meanwhile|not there/,
  )
})

it('a record under rules is examined as far as memory goes', async () => {
  const { examineSparsely, TooMuchToExamine } = await import('#src/workers/indexing/serving/sparse-source.ts')
  const content = randomBytes(3_000_000)
  const loads: [number, number][] = []
  const load = async (from: number, to: number) => {
    loads.push([from, to])
    return content.subarray(from, to)
  }
  const readAll = (source: { size: number; read(at: number, into: Buffer): number }) => {
    const all = Buffer.alloc(source.size)
    for (let at = 0; at < all.length; ) at += source.read(at, all.subarray(at))
    return all.equals(content)
  }
  expect(await examineSparsely(content.length, load, readAll, 4_000_000)).toBe(true)
  expect(loads.map(([from]) => from)).toEqual([0, 262_144, 786_432, 1_835_008])
  await expect(examineSparsely(content.length, load, readAll, 2_000_000)).rejects.toThrow(TooMuchToExamine)
  await expect(
    examineSparsely(content.length, () => Promise.reject(new Error('away')), readAll, 4_000_000),
  ).rejects.toThrow('away')
})
