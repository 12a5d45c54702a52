import { createHash } from 'node:crypto'
import { base32 } from '@fonds/warc'
import { createPayloadDigest } from '@fonds/warc/read'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestToken } from '#src/workers/indexing/captures/tokens.ts'
import {
  chunked,
  httpResponse,
  packed,
  sha1Of,
  warcRecord,
} from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

describe('the digest of a payload', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is in base 32 as RFC 4648 has it: %s', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  const digest = createHash('sha1').update('page').digest()

  it.each<[string | undefined, string | undefined]>([
    [`sha1:${base32(digest)}`, base32(digest)],
    [`SHA-1:${base32(digest).toLowerCase()}`, base32(digest)],
    [`sha1:${digest.toString('hex')}`, base32(digest)],
    [base32(digest), base32(digest)],
    ['sha256:abcdef', 'sha256:abcdef'],
    ['sha1:', undefined],
    ['sha1:short', undefined],
    ['two words', undefined],
    ['-', undefined],
    [undefined, undefined],
  ])('of a field, %s, is %s', (field, token) => {
    expect(digestToken(field)).toBe(token)
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
      captures: [{ digest: sha1Of(payload) }],
    })
  })

  it('is that of its field, where there is one, and of no byte where the payload has none', async () => {
    const digest = 'SHA1AAAAAAAAAAAAAAAAAAAAAAAAAAAA'.replaceAll(/[018]/g, 'A')
    const reading = await useReader().readBytes(
      warcRecord({ fields: { 'WARC-Payload-Digest': `sha1:${digest}` } }),
      warcRecord({ block: httpResponse({ body: '' }) }),
      warcRecord({ block: '' }),
    )
    const empty = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    expect(reading).toMatchObject({ captures: [{ digest }, { digest: empty }, { digest: empty }] })
  })
})
