import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

const command = (store: string) => ({
  input: { store, kind: 'external' },
  actor: 'r.vermeer',
  reason: 'for a test',
})

const withStores = async (...stores: readonly string[]) => {
  const server = await startServer({ keepsHistory: true, roles: ['projections'] })
  const positions: string[] = []
  for (const store of stores)
    positions.push(
      (await server.post('/api/v1/commands/fixity.register-store', command(store))).body.position,
    )
  await server.get(`/api/v1/views/fixity-stores?after=${positions.at(-1)}`)
  const changes = (view: string, query: string) => server.get(`/api/v1/views/${view}/diff?${query}`)
  return { ...server, positions, changes }
}

describe('what differs between two moments of a view', () => {
  it('page P67: is told with the rows as they were and are, and by which events', async () => {
    const { changes, positions } = await withStores('main', 'copy', 'third')
    const { status, body } = await changes('fixity-stores', `from=${positions[0]}&to=${positions[1]}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      view: 'fixity-stores',
      from: { position: positions[0] },
      to: { position: positions[1] },
      next: null,
      changes: [
        {
          kind: 'came',
          key: { store: 'copy' },
          before: null,
          after: { store: 'copy', kind: 'external' },
          columns: [],
          events: [{ position: positions[1], type: 'StoreRegistered', actor: 'r.vermeer' }],
        },
      ],
    })
  })

  it('comes page by page, up to now unless said', async () => {
    const { changes } = await withStores('main', 'copy', 'third')
    const first = await changes('fixity-stores', 'from=2000-01-01T00:00:00Z&limit=2')
    const stores = (body: { readonly changes: readonly { readonly key: { readonly store: string } }[] }) =>
      body.changes.map(({ key }) => key.store)
    expect(stores(first.body)).toEqual(['copy', 'main'])
    const after = encodeURIComponent(first.body.next)
    const second = await changes('fixity-stores', `from=2000-01-01T00:00:00Z&limit=2&after=${after}`)
    expect(stores(second.body)).toEqual(['third'])
    expect(second.body.next).toBeNull()
  })

  it.each([
    ['fixity-stores', 'to=3', 400, { path: 'from' }],
    ['fixity-stores', 'from=yesterday', 400, { path: 'from' }],
    ['fixity-stores', 'from=1&after=[1]', 400, { code: 'wrong-question', path: 'after' }],
    ['fixity-stores', 'from=3&to=1', 400, { code: 'wrong-question', path: 'from' }],
    ['fixity-claims', 'from=1', 422, { code: 'past-not-kept' }],
    ['nothing', 'from=1', 404, { code: 'no-such-view' }],
  ])('%s?%s is refused', async (view, query, status, body) => {
    const { changes } = await withStores('main', 'copy', 'third', 'fourth')
    expect(await changes(view, query)).toMatchObject({ status, body })
  })
})
