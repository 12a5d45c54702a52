import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { changer } from '../../infra/capture-index/lines.ts'
import { startServer } from '../server.ts'

const lineAt = (i: number, key = 'org,example)/') =>
  `${key} ${20_260_101_000_000 + i} http://example.org/ text/html 200 DIGEST - - 100 ${i} crawl.warc.gz`
const lines = (count: number) => Array.from({ length: count }, (_, i) => lineAt(i))
const url = '/cdx?url=http://example.org/'

/** A server with an index of these lines. */
const serverWith = async (stored: readonly string[], settings = {}) => {
  const server = await startServer({ settings })
  await changer(server.system.adapters.indexing.captureIndex()).publish('main/one', stored)
  return server
}

describe('GET /cdx', () => {
  it('answers with lines', async () => {
    const { get } = await serverWith(lines(3))
    expect(await get(`${url}&sort=closest&closest=20260101000001&limit=1`)).toMatchObject({
      status: 200,
      text: `${lineAt(1)}\n`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    expect(await get(`${url}&dialect=pywb&output=json&limit=1`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/x-ndjson; charset=utf-8' },
    })
    expect(await get(`${url}&dialect=ia&showNumPages=true`)).toMatchObject({ status: 200, text: '1\n' })
  })

  it('answers 200 and nothing where nothing is found, before anything was indexed, too', async () => {
    const { get } = await startServer()
    expect(await get(url)).toMatchObject({ status: 200, text: '' })
  })

  it.each([
    ['/cdx', 'url: is missing; send the URL that is looked for, or its key as urlkey', 'url'],
    [`${url}&dialect=x`, 'dialect: is "x"; send outbackcdx, pywb, ia', 'dialect'],
    [`${url}&asOf=monday`, 'asOf: is "monday"; send a day (2026-01-31), a time', 'asOf'],
    [`${url}&asOf=2026-02-31`, 'asOf: is "2026-02-31"; send a day', 'asOf'],
  ])('%s is refused with a sentence', async (asked, detail, path) => {
    const { get } = await startServer()
    expect(await get(asked)).toMatchObject({
      status: 400,
      body: { code: 'wrong-parameter', path, detail: expect.stringContaining(detail) },
    })
  })

  it('indexing C4: says that an answer was cut, and where to go on', async () => {
    const { get } = await serverWith(lines(5), { indexingScanLines: 2 })
    const first = await get(url)
    expect(first.text).toBe(`${lineAt(0)}\n${lineAt(1)}\n`)
    expect(first.headers).toMatchObject({ 'fonds-cut': 'scan' })
    const key = first.headers['fonds-resume-key']
    expect((await get(`${url}&resumeKey=${key}`)).text).toBe(`${lineAt(2)}\n${lineAt(3)}\n`)
    const whole = await get('/cdx?url=http://nowhere.example/')
    expect(whole.headers['fonds-cut']).toBe(undefined)
  })

  it('streams a long answer, and says at its end whether it was cut', async () => {
    const { app } = await serverWith(lines(6000), { indexingScanLines: 5000 })
    const { body, trailers, headers } = await app.inject(url)
    expect(body.split('\n')).toHaveLength(5001)
    expect(headers['transfer-encoding']).toBe('chunked')
    expect(trailers).toMatchObject({ 'fonds-cut': 'scan', 'fonds-resume-key': expect.stringContaining('+1') })
    const gzip = { 'accept-encoding': 'gzip' }
    const compressed = await app.inject({ url, headers: gzip })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(body)
    const plain = await app.inject({ url: `${url}&dialect=ia&gzip=false`, headers: gzip })
    expect(plain.headers['content-encoding']).toBe(undefined)
  })

  it('is asked by HEAD without looking', async () => {
    const { app } = await serverWith(lines(1))
    expect(await app.inject({ method: 'HEAD', url })).toMatchObject({ statusCode: 200, body: '' })
  })
})

describe('asOf', () => {
  it('indexing C6: shows the index as it was on the day before a withdrawal, whatever was merged since', async () => {
    let now = '2026-03-01T09:00:00.000Z'
    const eventStore = fakeEventStore({ now: () => now, gap: 3n })
    const { get, system } = await startServer({ replace: () => ({ eventStore }) })
    const index = system.adapters.indexing.captureIndex()
    const happened = async (type: string, at: string) => {
      now = at
      const event = { id: crypto.randomUUID(), type, data: {}, metadata: { schema: 1 } }
      const appended = await eventStore.append('indexing-main/one', 'any', [event as never])()
      if (appended._tag === 'Left') throw new Error(appended.left.kind)
      return appended.right.position
    }
    // The index begins at position 0: a log has other events first.
    await happened('FileDiscovered', '2026-02-01T00:00:00.000Z')
    const published = await happened('FileIndexed', '2026-03-01T09:00:00.000Z')
    const run = await index.write([`${lineAt(0)}\n`])
    await index.change([{ kind: 'publish', file: 'main/one', run, position: published }])
    await happened('FileDiscovered', '2026-03-02T23:00:00.000Z')
    const withdrawn = await happened('FileWithdrawn', '2026-03-03T00:00:00.000Z')
    await index.change([{ kind: 'withdraw', file: 'main/one', position: withdrawn }])
    const other = await index.write([`${lineAt(7)}\n`])
    const later = await happened('FileIndexed', '2026-03-04T00:00:00.000Z')
    await index.change([{ kind: 'publish', file: 'main/two', run: other, position: later }])
    await index.mergeDue({ all: true })

    const at = async (asOf: string) => (await get(`${url}&asOf=${encodeURIComponent(asOf)}&fl=offset`)).text
    expect((await get(`${url}&fl=offset`)).text).toBe('7\n')
    expect(await at('2026-02-28')).toBe('')
    expect(await at('2026-03-01')).toBe('0\n')
    expect(await at('2026-03-02')).toBe('0\n')
    expect(await at('2026-03-03T00:59:59+01:00')).toBe('0\n')
    expect(await at('2026-03-03')).toBe('')
    expect(await at('2026-03-04')).toBe('7\n')
    expect(await at('2030-01-01')).toBe('7\n')
    expect(await at(String(published))).toBe('0\n')
    expect(await at(String(withdrawn))).toBe('')
    const closest = `${url}&sort=closest&closest=2026&asOf=2026-03-02&fl=offset`
    expect((await get(closest)).text).toBe('0\n')
  })
})
