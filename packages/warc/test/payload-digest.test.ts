import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base32 } from '../src/records/base32.ts'
import { createPayloadDigest } from '../src/records/payload-digest.ts'
import { chunked, httpResponse, packed, sha1Of, warcRecord } from './make-warc.ts'
import { useReader } from './read-bytes.ts'

describe('the digest of a payload', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is in base 32 as RFC 4648 has it: %s', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  it('is of what the chunks hold, however they come', () => {
    const texts = fc.array(fc.string({ minLength: 1, unit: 'binary-ascii' }), { maxLength: 5 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (chunks, step) => {
        const bytes = Buffer.from(chunked(...chunks))
        const made = createPayloadDigest(true)
        for (let at = 0; at < bytes.length; at += step) made.push(bytes.subarray(at, at + step))
        expect(made.end()).toBe(sha1Of(chunks.join('')))
      }),
    )
  })

  it.each([
    ['chunks with extensions and a trailer', '4;x=y\r\npage\r\n0\r\nMade: now\r\n\r\n', 'page'],
    ['lines that end with LF', '4\npage\n0\n\n', 'page'],
    ['chunks that are cut off', '4\r\npage\r\n8\r\nagain', 'pageagain'],
    ['a payload that is none', 'page that was stored decoded', 'page that was stored decoded'],
    ['chunks that end in nonsense', '4\r\npage\r\nxyz\r\n', '4\r\npage\r\nxyz\r\n'],
    ['a chunk that is longer than it says', '2\r\npage\r\n', '2\r\npage\r\n'],
  ])('of %s', async (_, body, payload) => {
    const block = httpResponse({ fields: { 'Transfer-Encoding': 'gzip, Chunked' }, body })
    expect(await useReader().readBytes(packed(warcRecord({ block })))).toMatchObject({
      records: [{ digest: sha1Of(payload) }],
    })
  })
})
