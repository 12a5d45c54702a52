import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import openContent from '../../../../infra/content/open-content.ts'
import { packed, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { serveFile } from '../../../../src/workers/indexing/serving/serve-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { waczOf } from '../wacz/make-wacz.ts'

const records = [
  packed(warcinfo()),
  packed(warcRecord({ url: 'http://example.com/secret' })),
  packed(warcRecord({ url: 'http://example.com/open' })),
]
const [, secret, open] = records as [Buffer, Buffer, Buffer]
const bytes = Buffer.concat(records)
const openAt = bytes.length - open.length
const secretAt = openAt - secret.length
const name = 'a.warc.gz'

const serve = (locations: readonly string[], request: Parameters<typeof serveFile>[1]) =>
  serveFile(
    locations.map((location) => ({ location })),
    request,
    openContent,
    60_000,
  )

const ask = async (
  range: string | undefined,
  headers = {},
  secrecy: 'unseen' | { refused: string } = 'unseen',
) => {
  const location = join(temporaryFolder(), name)
  writeFileSync(location, bytes)
  const served = await serve(['/nowhere/a.warc.gz', location], {
    method: 'GET',
    headers: { ...(range !== undefined && { range }), ...headers },
    name,
    accessTo: async ({ url }) => (url === 'http://example.com/secret' ? secrecy : 'seen'),
  })
  return E.isLeft(served) ? served.left.code : { ...served.right, body: await buffer(served.right.body) }
}

describe('a file with a record that is not to be seen', () => {
  it('is served a record at a time', async () => {
    const whole = { status: 206, body: open }
    expect(await ask(`bytes=${openAt}-${bytes.length - 1}`)).toMatchObject(whole)
    expect(await ask(`bytes=${openAt}-${openAt + 9}`)).toMatchObject({ body: open.subarray(0, 10) })
    expect(await ask(`bytes=-${open.length}`)).toMatchObject(whole)
  })

  it('is served no further than a record goes', async () => {
    const two = Buffer.concat([records[0]!, open, secret])
    const location = join(temporaryFolder(), name)
    writeFileSync(location, two)
    const at = records[0]!.length
    const headers = { range: `bytes=${at}-` }
    const served = await serve([location], { method: 'GET', headers, name, accessTo: async () => 'seen' })
    if (E.isLeft(served)) return expect.fail(served.left.message)
    expect(served.right.headers['content-range']).toBe(`bytes ${at}-${at + open.length - 1}/${two.length}`)
    expect(await buffer(served.right.body)).toEqual(open)
  })

  it.each([
    undefined,
    'bytes=0-',
    `bytes=${secretAt}-${openAt - 1}`,
    `bytes=${secretAt}-${secretAt}`,
    `bytes=${secretAt + 5}-${openAt - 1}`,
    `bytes=${openAt + 1}-`,
    `bytes=-${open.length + secret.length}`,
    `bytes=${openAt}-${openAt},${secretAt}-${openAt}`,
  ])('is not served for the range %s', async (range) => {
    expect(await ask(range)).toBe('no-such-record')
  })

  it('says why, where the rule has a public message', async () => {
    expect(await ask(`bytes=${secretAt}-${openAt - 1}`, {}, { refused: 'By order of a court.' })).toBe(
      'refused-record',
    )
  })

  it('has no range beyond its end, and conditions that hold', async () => {
    expect(await ask(`bytes=${bytes.length}-`)).toMatchObject({ status: 416, body: Buffer.alloc(0) })
    expect(await ask(undefined, { 'if-none-match': '*' })).toMatchObject({ status: 304 })
  })
})

it('a file that is nowhere says why, for each place', async () => {
  const served = await serve(['/nowhere/a', '/nowhere/b'], { method: 'GET', headers: {}, name })
  expect(served).toEqual(
    E.left({ code: 'unreadable-file', message: expect.stringMatching(/nowhere\/a .*; .*nowhere\/b /) }),
  )
})

describe('a WACZ', () => {
  const head = packed(warcinfo())
  const wacz = waczOf({
    'one.warc.gz': Buffer.concat([head, secret]),
    'two.warc.gz': Buffer.concat([head, open]),
  })
  const askWacz = async (range: string | undefined, isRuled: boolean, content = wacz) => {
    const location = join(temporaryFolder(), 'a.wacz')
    writeFileSync(location, content)
    const served = await serve([location], {
      method: 'GET',
      headers: { ...(range !== undefined && { range }) },
      name: 'a.wacz',
      accessTo: isRuled
        ? async ({ url }) => (url === 'http://example.com/open' ? 'seen' : 'unseen')
        : undefined,
    })
    return E.isLeft(served) ? served.left.code : await buffer(served.right.body)
  }
  const openFrom = wacz.indexOf(open)
  const rangeOf = (bytes: Buffer) => `bytes=${wacz.indexOf(bytes)}-${wacz.indexOf(bytes) + bytes.length - 1}`

  it('is served by ranges where its records lie, and whole', async () => {
    expect(await askWacz(rangeOf(open), false)).toEqual(open)
    expect(await askWacz(rangeOf(secret), false)).toEqual(secret)
    expect(await askWacz(undefined, false)).toEqual(wacz)
  })

  it('is served under rules a record at a time, of whichever of its WARCs', async () => {
    expect(await askWacz(`bytes=${openFrom}-`, true)).toEqual(open)
    for (const range of [
      rangeOf(secret),
      undefined,
      'bytes=0-',
      `bytes=${openFrom + 1}-`,
      `bytes=${wacz.length - 5}-`,
    ])
      expect(await askWacz(range, true), range).toBe('no-such-record')
  })

  it('is disclosed only if it holds an archive file', async () => {
    const other = waczOf(
      {},
      { parts: [{ name: 'archive/a.warc.gz', bytes: Buffer.from('root:x:0'), stored: true }] },
    )
    for (const content of [other, waczOf({}), wacz.subarray(0, -30)])
      expect(await askWacz(undefined, false, content)).toBe('unreadable-file')
  })
})
