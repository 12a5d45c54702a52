import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const url = '/api/v1/reports/fixity'

const withStore = async (keepsHistory = true) => {
  const server = await startServer({ keepsHistory, roles: ['projections'] })
  const { body } = await server.post('/api/v1/commands/fixity.register-store', {
    input: { store: 'main', kind: 'external' },
    actor: 'r.vermeer',
    reason: 'a test',
  })
  await server.get(`/api/v1/views/fixity-stores?after=${body.position}`)
  return { ...server, position: body.position as string }
}
const asJson = { accept: 'application/json' }
const names = ({ stores }: { stores: { store: string }[] }) => stores.map(({ store }) => store)

describe('the fixity report', () => {
  it('is JSON for programs, whatever they accept, and a page for browsers', async () => {
    const { get } = await withStore()
    for (const accept of ['*/*', 'application/json', 'application/*'])
      expect(names((await get(url, { accept })).body)).toEqual(['main'])
    expect(names((await get(url)).body)).toEqual(['main'])
    const page = await get(url, { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('<bdi>main</bdi>')
    expect(names((await get(url, asJson)).body)).toEqual(['main'])
    expect(await get(url, { accept: 'image/png' })).toMatchObject({
      status: 406,
      body: { code: 'no-such-format' },
    })
  })

  it('is of a store, and of a time', async () => {
    const { get, position } = await withStore()
    expect(names((await get(`${url}?store=other&prefix=a/`, asJson)).body)).toEqual([])
    expect(names((await get(`${url}?asOf=${position}`, asJson)).body)).toEqual(['main'])
    const before = (await get(`${url}?asOf=2000-01-01T00:00:00Z`, asJson)).body
    expect(before).toMatchObject({ at: '2000-01-01T00:00:00.000Z', stores: [] })
  })

  it.each([true, false])('says whether the log was folded for a time: history %s', async (keepsHistory) => {
    const { get, position } = await withStore(keepsHistory)
    expect((await get(url, asJson)).headers['fonds-folded']).toBe(undefined)
    const { headers, body } = await get(`${url}?asOf=${position}`, asJson)
    expect(names(body)).toEqual(['main'])
    expect(headers['fonds-folded']).toBe(keepsHistory ? undefined : 'true')
  })

  it('cannot be made before views were folded', async () => {
    const { get } = await startServer()
    expect(await get(url)).toMatchObject({ status: 503, body: { code: 'view-not-ready' } })
    expect(await get(`${url}?store=`)).toMatchObject({ status: 400, body: { path: 'store' } })
  })
})
