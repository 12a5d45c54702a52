import { describe, expect, it } from 'vitest'
import { birds } from '../fakes/birds.ts'
import { startServer } from './server.ts'

const withBirds = async () => {
  const server = await startServer({
    keepsHistory: true,
    roles: ['projections'],
    replace: ({ workflows }) => ({ workflows: [...workflows, birds] }),
  })
  const { body } = await server.post('/api/v1/commands/fixity.register-store', {
    input: { store: 'reeds', kind: 'external' },
    actor: 'r.vermeer',
    reason: 'a test',
  })
  await server.get(`/api/v1/views/fixity-stores?after=${body.position}`)
  return server
}
const flock = '/api/v1/birds/flock'

describe('a list that is declared', () => {
  it('is JSON, CSV or NDJSON, as it is asked for', async () => {
    const { get } = await withBirds()
    const whole = await get(flock)
    expect(whole.body).toEqual({
      flock: [
        { bird: 'heron', eggs: 4 },
        { bird: '=owl', eggs: 2, note: 'seen, at night' },
      ],
    })
    expect(whole.headers.vary).toContain('accept')
    const sheet = await get(flock, { accept: 'text/csv' })
    expect(sheet.text).toBe('bird,eggs,note\nheron,4,\n\'=owl,2,"seen, at night"\n')
    const lines = await get(flock, { accept: 'application/x-ndjson' })
    expect(lines.text.split('\n')[0]).toBe('{"bird":"heron","eggs":4}')
    expect(await get(flock, { accept: 'text/html' })).toMatchObject({
      status: 406,
      body: { code: 'no-such-format' },
    })
  })

  it('as CSV has its header without a row, too', async () => {
    const { get } = await withBirds()
    const none = await get(`${flock}?least=9`, { accept: 'text/csv' })
    expect(none.text).toBe('bird,eggs,note\n')
  })

  it('reads its fields by their codecs, which may be narrower than on the command line', async () => {
    const { get } = await withBirds()
    expect((await get(`${flock}?least=3`)).body.flock).toHaveLength(1)
    expect((await get(`${flock}?limit=1`)).body.flock).toHaveLength(1)
    for (const wrong of ['least=10', 'limit=0', 'asOf=noon'])
      expect(await get(`${flock}?${wrong}`)).toMatchObject({ status: 400, body: { code: 'wrong-parameter' } })
    expect((await get(`${flock}?loud=true`)).body.code).toBe('unknown-parameter')
  })
})

describe('a question that is declared', () => {
  const nest = '/api/v1/nests/reeds?season=spring'

  it('has its own path, and a canonical link', async () => {
    const { get } = await withBirds()
    const { body, headers } = await get(nest)
    expect(body).toMatchObject({ store: 'reeds', season: 'spring' })
    expect(headers.link).toBe('</api/v1/nests/reeds%2Fnest>; rel="canonical"')
    expect(await get('/api/v1/nests/reeds')).toMatchObject({ status: 400, body: { path: 'season' } })
  })

  it('answers of the past with the time of that', async () => {
    const { get } = await withBirds()
    const then = '2999-01-01T00:00:00.000Z'
    expect((await get(`${nest}&asOf=${then}`)).body.at).toBe(then)
    expect(await get(`${nest}&asOf=2000-01-01T00:00:00Z`)).toMatchObject({
      status: 404,
      body: { code: 'no-such-nest', detail: 'as of 2000-01-01T00:00:00.000Z: nobody nests in reeds' },
    })
  })

  it('is a picture for who asks for one, which can do nothing', async () => {
    const { get } = await withBirds()
    const picture = await get(nest, { accept: 'image/svg+xml' })
    expect(picture.text).toBe('<svg>reeds</svg>')
    expect(picture.headers['content-security-policy']).toBe("default-src 'none'")
  })

  it('is in the document, with its problems; what takes long is not', async () => {
    const { get } = await withBirds()
    const { paths } = (await get('/api/v1/openapi.json')).body
    const { operationId, security, parameters, responses } = paths['/api/v1/nests/{store}'].get
    expect([operationId, security]).toEqual(['birdsNest', [{ token: [] }]])
    expect(parameters.map(({ name, required }: Record<string, unknown>) => [name, required])).toEqual([
      ['store', true],
      ['season', true],
      ['asOf', false],
    ])
    expect(responses[404].description).toContain('Nobody nests there.')
    const row = paths[flock].get.responses[200].content['application/json'].schema.properties.flock.items
    expect(row).toMatchObject({ properties: { eggs: { type: 'number' } }, required: ['bird', 'eggs'] })
    expect(Object.keys(paths).filter((path) => path.includes('thorough'))).toEqual([])
    expect((await get('/api/v1/birds/thorough')).status).toBe(404)
  })

  it('is linked to from the first page where it can be asked as it is', async () => {
    const { get } = await withBirds()
    const { text } = await get('/')
    expect(text).toContain(`<a href="${flock}">`)
    expect(text).not.toContain('nests')
  })

  it('is not ready before views were folded', async () => {
    const { get } = await startServer({
      replace: ({ workflows }) => ({ workflows: [...workflows, birds] }),
    })
    expect(await get(flock)).toMatchObject({ status: 503, body: { code: 'view-not-ready' } })
  })
})
