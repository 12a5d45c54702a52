import { describe, expect, it } from 'vitest'
import { sentBody, sentHeads } from '../../../../packages/warc/test/http-heads.ts'
import { packed, sha1Of, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

/** Heads whose payload is not the body alone. */
const otherPayloads: Readonly<Record<string, string>> = {
  'CR alone': '',
  'a head of 100 Continue before that of the response': `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${sentBody}`,
}

describe('the head of a response with', () => {
  it.each(sentHeads)('$name is read: $ours', async ({ name, head, ours }) => {
    const block = Buffer.from(head + sentBody, 'latin1')
    const [status, mime] = ours.split(' ')
    expect(await useReader().readBytes(packed(warcRecord({ block })))).toMatchObject({
      captures: [{ status, mime, digest: sha1Of(otherPayloads[name] ?? sentBody) }],
    })
  })
})
