import { expect, it } from 'vitest'
import { changer } from '../../infra/capture-index/lines.ts'
import { startServer } from '../server.ts'

const lineOf = (n: number) =>
  `org,example)/ ${20_260_101_000_000 + n} http://example.org/ text/html 200 DIGEST - - 100 ${n} crawl.warc.gz`

it('indexing C15 what has changed is told in parts, each with where to go on', async () => {
  const { get, system } = await startServer()
  const { publish, withdraw } = changer(system.adapters.indexing.captureIndex())
  await publish('main/one', [lineOf(1), lineOf(2)])
  const ask = async (query: string) => {
    const { status, text } = await get(`/cdx/changes${query}`)
    expect(status).toBe(200)
    const items = text
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    const { next, more } = items.at(-1) ?? {}
    return { items: items.slice(0, -1), next: String(next), more }
  }
  const first = await ask('?size=1')
  expect(first.items).toEqual([{ anew: { from: '', to: `${lineOf(1)}\0` } }, { add: lineOf(1) }])
  expect(first.more).toBe(true)
  const second = await ask(`?since=${first.next}`)
  expect(second.items).toEqual([{ anew: { from: `${lineOf(1)}\0` } }, { add: lineOf(2) }])
  expect(second.more).toBe(false)
  await withdraw('main/one')
  expect((await ask(`?since=${second.next}`)).items).toEqual([{ remove: lineOf(1) }, { remove: lineOf(2) }])
  expect(await get('/cdx/changes?since=7')).toMatchObject({ status: 409, body: { code: 'begin-anew' } })
  expect(await get('/cdx/changes?size=0')).toMatchObject({ status: 400, body: { path: 'size' } })
})
