import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packed } from '../../../packages/warc/test/make-warc.ts'
import { type Line, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { pywbIsAbsent, startPywb } from './pywb.ts'
import { pair, type Sent } from './sent-requests.ts'

const url = 'http://a.example/search'
const post = (mime: string, body: string): Sent => ({
  method: 'POST',
  mime,
  body: Buffer.from(body),
  length: String(Buffer.byteLength(body)),
})
const boundary = '----WebKitFormBoundaryAbC'
const field = (value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="q"\r\n\r\n${value}\r\n--${boundary}--\r\n`

const all: readonly Sent[] = [
  post('application/x-www-form-urlencoded', 'q=one'),
  post('application/x-www-form-urlencoded', 'q=two+words&p=%C3%BC'),
  post('application/json', '{"q":"one","filters":["a","b"]}'),
  post('application/json', '{"q":"other","filters":["a","b"]}'),
  post('text/plain', 'some text'),
  post('application/octet-stream', '\0\x01\x02'),
  post(`multipart/form-data; boundary=${boundary}`, field('parts')),
  post(`multipart/form-data; boundary=${boundary}`, field('other parts')),
  { ...post('application/x-www-form-urlencoded', 'q=one'), method: 'PUT' },
]

it.skipIf(pywbIsAbsent)(
  'pywb 2.10 replays a page that posts over the published folder of CDXJ, and shows each request its own answer',
  async () => {
    const { folder, home } = useFolder()
    const archives = join(folder, 'archives')
    const published = join(folder, 'published')
    mkdirSync(archives)
    writeFileSync(join(archives, 'posts.warc.gz'), packed(...all.flatMap((one, i) => pair(one, i, url))))
    const { address } = await startServer({
      home,
      env: {
        FONDS_INDEXING_SOURCES: `main=${archives}`,
        FONDS_INDEXING_GRACE_SECONDS: '1',
        FONDS_INDEXING_REQUEST_KEYS: 'on',
        FONDS_INDEXING_FORMAT: 'cdxj',
        FONDS_INDEXING_FILES: join(published, 'main.cdxj'),
        FONDS_INDEXING_AGGREGATE_SECONDS: '1',
      },
    })
    await until('the lines are published', async () => {
      const { report } = (await (await fetch(`${address}/api/v1/indexing/report`)).json()) as Line
      const text = await (await fetch(`${address}/cdx?urlkey=!&matchType=range`)).text()
      return report[0]?.state === 'indexed' && text.split('\n').length - 1 === all.length
    })
    await until('the file is there', () => readdirSync(published).includes('main.cdxj') || undefined)
    const pywb = await startPywb({
      files: { index_paths: `${published}/`, archive_paths: `${archives}/` },
      remote: { index: `cdx+${address}/cdx`, archive_paths: `${address}/warc/` },
    })
    for (const collection of ['files', 'remote'])
      for (const [i, { method, mime = '', body }] of all.entries()) {
        const answer = await fetch(`${pywb.address}/${collection}/2026id_/${url}`, {
          method,
          headers: { 'content-type': mime },
          body: new Uint8Array(body),
        })
        expect(await answer.text(), `${collection}: ${method} ${mime} ${i}`).toBe(`answer ${i}`)
      }
  },
)
