import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { CaptureIndex } from '#src/ports/capture-index.ts'
import { changer } from '../../infra/capture-index/lines.ts'
import { startServer } from '../server.ts'

const lineAt = (time: number) =>
  `org,example)/ ${time} http://example.org/?a&b text/html 200 DIGEST - - 100 7 crawl.warc.gz`

/** As OpenWayback encodes it: the value within the query, and the query. */
const query = (url: string, more = '') =>
  `/cdx?q=${encodeURIComponent(`type:urlquery url:${encodeURIComponent(url)}`).replaceAll('%20', '+')}${more}`

const serverWith = async (stored: readonly string[]) => {
  const server = await startServer()
  await changer(server.system.adapters.indexing.captureIndex()).publish('main/one', stored)
  return server
}

describe('GET /cdx?q=', () => {
  it('answers OpenWayback in XML', async () => {
    const { get } = await serverWith([lineAt(20_260_101_000_000), lineAt(20_260_102_000_000)])
    const { status, headers, text } = await get(query('http://www.example.org/', '&count=1&start_page=2'))
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(text).toContain('<url>http://example.org/?a&amp;b</url><capturedate>20260102000000</capturedate>')
    expect(text).toContain('<numreturned>1</numreturned><numresults>2</numresults>')
  })

  it('says in a document that there is nothing, and what is wrong', async () => {
    const { get } = await startServer()
    const none = await get(query('http://example.org/'))
    expect(none).toMatchObject({ status: 200, text: expect.stringContaining('Resource Not In Archive') })
    const wrong = await get(query('', '&gzip=false'))
    expect(wrong).toMatchObject({
      status: 200,
      text: '<?xml version="1.0" encoding="UTF-8"?>\n<wayback><error><title>Bad Query Exception</title><message>q: there is no url; ask for type:urlquery url:&lt;address, encoded&gt;</message></error></wayback>\n',
    })
  })

  it('is away where the index is', async () => {
    const away: CaptureIndex['scan'] = async function* () {
      yield* []
      throw new UnavailableError('a run of the capture index is gone')
    }
    const { get } = await startServer({
      replace: ({ adapters: { indexing, ...others } }) => ({
        adapters: {
          ...others,
          indexing: { ...indexing, captureIndex: () => ({ ...indexing.captureIndex(), scan: away }) },
        },
      }),
    })
    expect(await get(query('http://example.org/'))).toMatchObject({ status: 503, body: { code: 'away' } })
  })
})
