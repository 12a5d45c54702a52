import { createHash } from 'node:crypto'
import { base32 } from '@fonds/warc'
import { describe, expect, it } from 'vitest'
import { digestToken } from '#src/workers/indexing/captures/tokens.ts'
import { httpResponse, packed, sha1Of, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

describe('the digest of a payload', () => {
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
