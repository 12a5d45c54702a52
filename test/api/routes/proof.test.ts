import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { parseCheckpoint, parseNote } from '@fonds/tlog'
import { describe, expect, it } from 'vitest'
import { sealAll } from '../../app/proof/sealer.ts'
import { event } from '../../contracts/new-event.ts'
import { startServer } from '../server.ts'

const sealed = async (options: Parameters<typeof startServer>[0] = {}) => {
  const server = await startServer(options)
  const { eventStore, config } = server.system
  for (let n = 0; n < 260; n++) await eventStore.append('a-1', 'any', [event()])()
  await sealAll(config.home, eventStore, { perRead: 1000, perHead: 1000n })
  return server
}

describe('/proof', () => {
  it('has the head and its tiles, each as C2SP names it', async () => {
    const { get } = await sealed()
    const head = await get('/proof/checkpoint')
    expect(head.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(parseCheckpoint(parseNote(head.text).text).size).toBe(260n)
    for (const [path, bytes] of [
      ['0/000', 8192],
      ['0/001.p/4', 128],
      ['1/000.p/1', 32],
    ] as const) {
      const tile = await get(`/proof/tile/${path}`)
      expect([path, tile.status, tile.headers['content-length']]).toEqual([path, 200, String(bytes)])
      expect(tile.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    }
    expect((await get('/proof/tile/entries/001.p/4')).text).toContain('fonds.event/v1\n"a-1"\n256\n')
  })

  it.each(['0/002', '0/0', '0/000.p/256', '0/000.p/7', '0/001', 'x', '0/..%2F..%2Ffonds.db', 'entries/'])(
    'tile/%s is none',
    async (path) => {
      const { get } = await sealed()
      const { status, body } = await get(`/proof/tile/${path}`)
      expect([404, 400]).toContain(status)
      expect(body.code).toMatch(/no-tile|not-found|wrong-parameter|unknown/)
    },
  )

  it.each(['0/000', '1/000.p/1', 'entries/000', 'entries/001.p/4'])(
    'tile/%s that was cut is not given out, and the answer names it',
    async (path) => {
      const { get, system } = await sealed()
      truncateSync(join(system.config.home, 'proof/tile', path), 31)
      const { status, body, headers } = await get(`/proof/tile/${path}`)
      expect([status, body.code, body.detail]).toEqual([
        409,
        'tree-damaged',
        expect.stringContaining(`tile/${path} in `),
      ])
      expect(headers['cache-control'] ?? '').not.toContain('immutable')
    },
  )

  it('without a tree there is none', async () => {
    const { get } = await startServer()
    expect(await get('/proof/checkpoint')).toMatchObject({ status: 404, body: { code: 'no-tree' } })
  })

  it('needs the token, unless reading is public', async () => {
    const token = 'a-token-of-twenty-and-more'
    for (const [proofPublic, status] of [
      ['off', 401],
      ['on', 200],
    ] as const) {
      const { get } = await sealed({ settings: { token, proofPublic } })
      for (const path of ['/proof/checkpoint', '/proof/tile/0/000'])
        expect([path, (await get(path)).status]).toEqual([path, status])
      expect((await get('/api/v1/events')).status).toBe(401)
    }
  })
})
