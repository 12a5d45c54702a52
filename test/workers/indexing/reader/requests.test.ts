import { expect, it } from 'vitest'
import { httpResponse, packed, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

const page = 'http://example.org/search'
const asked = (n: number, fields: Readonly<Record<string, string>> = {}, url = page) =>
  warcRecord({
    type: 'request',
    url,
    contentType: 'application/http; msgtype=request',
    block: `POST /search HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\nq=${n}`,
    fields: { 'WARC-Record-ID': `<urn:request-${n}>`, ...fields },
  })
const answered = (n: number, fields: Readonly<Record<string, string>> = {}, type = 'response') =>
  warcRecord({
    type,
    url: page,
    block: httpResponse({ body: `answer ${n}` }),
    fields: { 'WARC-Record-ID': `<urn:response-${n}>`, ...fields },
  })
const to = (id: string) => ({ 'WARC-Concurrent-To': `<urn:${id}>` })

const bodiesOf = async (...records: readonly Buffer[]) => {
  const { readBytes } = useReader({ hasRequests: true })
  const reading = await readBytes(packed(...records))
  if (!('captures' in reading)) throw new Error(reading.reason)
  return reading.captures.toSorted((a, b) => a.offset - b.offset).map(({ request }) => request?.body)
}

it.each([
  ['request first, response names it', [asked(1), answered(1, to('request-1'))]],
  ['request first, it names the response', [asked(1, to('response-1')), answered(1)]],
  ['response first, request names it', [answered(1), asked(1, to('response-1'))]],
  ['response first, it names the request', [answered(1, to('request-1')), asked(1)]],
  // cdxj-indexer 1.5.0 has no key of what was sent here: it looks at responses alone. pywb 2.10 has one.
  ['a revisit', [asked(1), answered(1, to('request-1'), 'revisit')]],
])('indexing C18 a response has the request that it answers: %s', async (_, records) => {
  expect(await bodiesOf(...records)).toEqual(['q=1'])
})

it('indexing C18 requests are found among others, as writers that work on several at once leave them', async () => {
  const records = [asked(1), asked(2), answered(2, to('request-2')), answered(1, to('request-1'))]
  // cdxj-indexer 1.5.0 joins neighbours alone.
  expect(await bodiesOf(...records)).toEqual(['q=2', 'q=1'])
})

it('indexing C18 a response has no request where none is named, or that of another URL', async () => {
  expect(await bodiesOf(answered(1))).toEqual([undefined])
  expect(await bodiesOf(asked(1), answered(1))).toEqual([undefined])
  expect(await bodiesOf(answered(1, to('request-9')), asked(1))).toEqual([undefined])
  expect(await bodiesOf(asked(1, {}, 'http://example.org/other'), answered(1, to('request-1')))).toEqual([
    undefined,
  ])
})

it('indexing C18 memory stays flat: a request is looked for among a thousand captures', async () => {
  const others = Array.from({ length: 1000 }, (_, n) => answered(n + 2))
  const near = [answered(1), ...others.slice(1), asked(1, to('response-1'))]
  const far = [answered(1), ...others, asked(1, to('response-1'))]
  expect((await bodiesOf(...near))[0]).toBe('q=1')
  expect((await bodiesOf(...far))[0]).toBeUndefined()
})

it('indexing C18 a body of any size costs the same memory, and a warning says where it was too long to be read', async () => {
  const body = `[${'1,'.repeat(3 * 1024 * 1024)}1]`
  const request = warcRecord({
    type: 'request',
    url: page,
    contentType: 'application/http; msgtype=request',
    block: `POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    fields: { 'WARC-Record-ID': '<urn:request-1>' },
  })
  const { readBytes } = useReader({ hasRequests: true })
  const reading = await readBytes(packed(request, answered(1, to('request-1'))))
  expect(reading).toMatchObject({
    captures: [{ request: { method: 'POST', body: expect.stringMatching(/^__wb_post_data=WzEs/) } }],
    summary: { warnings: [expect.stringContaining('too long to be read')] },
  })
})
