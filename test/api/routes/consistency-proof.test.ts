import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBase64, parseCheckpoint, parseNote, parsePolicy } from '@fonds/tlog'
import { isConsistent } from '@fonds/tlog/web'
import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { sealAll } from '../../app/proof/sealer.ts'
import { event } from '../../contracts/new-event.ts'
import { startServer } from '../server.ts'

let server: Awaited<ReturnType<typeof startServer>>

const write = async (count: number) => {
  const events = Array.from({ length: count }, () => event())
  if (isLeft(await server.system.eventStore.append('a-1', 'any', events)())) throw new Error('not written')
}
/** Seals all events: the head. */
const seal = async () => {
  const { home } = server.system.config
  await sealAll(home, server.system.eventStore, { perRead: 1000, perHead: 1000n })
  const { head } = (await server.get('/api/v1/proof/tree')).body
  return parseCheckpoint(parseNote(head.checkpoint).text)
}
const asked = (query: string) => server.get(`/api/v1/proof/consistency?${query}`)

beforeEach(async () => {
  server = await startServer()
})

describe('the proof that the tree goes on from an older head, over HTTP (Q14)', () => {
  it('holds for the heads that were signed, and for no other root', async () => {
    await write(300)
    const first = await seal()
    await write(13)
    const second = await seal()
    await write(300)
    const third = await seal()
    for (const [older, newer, query] of [
      [first, second, `from=${first.size}&to=${second.size}`],
      [first, third, `from=${first.size}`],
      [second, third, `from=${second.size}&to=${third.size}`],
      [third, third, `from=${third.size}`],
    ] as const) {
      const { status, body } = await asked(query)
      expect([status, body.origin, body.from, body.to]).toEqual([
        ...[200, first.origin],
        ...[`${older.size}`, `${newer.size}`],
      ])
      const proof = body.proof.map((hash: string) => fromBase64(hash))
      const claim = { oldSize: older.size, oldRoot: older.root, size: newer.size, root: newer.root, proof }
      expect(await isConsistent(claim)).toBe(true)
      expect(await isConsistent({ ...claim, oldRoot: Buffer.alloc(32, 1) })).toBe(false)
    }
  })

  it('a size above that of the tree is named, with how large the tree is', async () => {
    await write(3)
    await seal()
    for (const [query, path] of [
      ['from=4', 'from'],
      ['from=1&to=4', 'to'],
      ['from=9&to=4', 'from'],
    ] as const) {
      const { status, body } = await asked(query)
      expect([status, body.code, body.path, body.size]).toEqual([409, 'larger-than-tree', path, '3'])
      expect(body.detail).toContain('the newest head has 3 leaves')
    }
  })

  it.each(['', 'from=0', 'from=-1', 'from=x', 'from=3&to=2', 'from=1&to=0', 'from=01'])(
    '"%s" names no two sizes',
    async (query) => {
      await write(3)
      await seal()
      expect(await asked(query)).toMatchObject({ status: 400, body: { code: 'wrong-parameter' } })
    },
  )

  it('there is none where nothing is sealed, and none that blames a fork on damaged files', async () => {
    expect(await asked('from=1')).toMatchObject({ status: 404, body: { code: 'no-tree' } })
    await write(300)
    await seal()
    writeFileSync(join(server.system.config.home, 'proof/tile/0/000'), Buffer.alloc(8192))
    for (const query of ['from=200', 'from=10&to=200'])
      expect(await asked(query)).toMatchObject({ status: 409, body: { code: 'tree-damaged' } })
  })

  it('the policy that the tree is shown with has replaced keys: heads that they signed are still known', async () => {
    await write(3)
    await seal()
    const files = await server.system.proofLog()
    const { keys } = (await server.get('/api/v1/proof/tree')).body.head
    const retired = { key: keys[0], until: 2n, at: '2026-11-30T13:00:00.000Z' }
    Object.assign(files, { retiredKeys: async () => [retired] })
    Object.assign(server.system, { proofLog: async () => files })
    const { head } = (await server.get('/api/v1/proof/tree')).body
    expect(parsePolicy(head.policy).retired).toEqual([{ key: keys[0], until: 2n }])
  })
})
