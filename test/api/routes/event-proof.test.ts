import { hash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parsePolicy, parseProofFile } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyProof } from '#src/app/proof/verify/verify-proof.ts'
import { sealAll } from '../../app/proof/sealer.ts'
import { event } from '../../contracts/new-event.ts'
import { startServer } from '../server.ts'

type Server = Awaited<ReturnType<typeof startServer>>
let server: Server

const write = async (stream: string, count = 1) => {
  for (let n = 0; n < count; n++) {
    const written = await server.system.eventStore.append(stream, 'any', [event()])()
    if (isLeft(written)) throw new Error('not written')
  }
}
const seal = () =>
  sealAll(server.system.config.home, server.system.eventStore, { perRead: 1000, perHead: 1000n })
const all = async () => {
  const page = await server.system.eventStore.readStored(-1n, {}, 1000)()
  if (isLeft(page)) throw new Error('unreadable')
  return page.right.events
}
const bySql = (sql: string) => {
  const db = new DatabaseSync(join(server.system.config.home, 'fonds.db'))
  db.exec('DROP TRIGGER IF EXISTS events_never_change; DROP TRIGGER IF EXISTS events_never_go')
  db.exec(sql)
  db.close()
}
const proof = (query: string) => server.get(`/api/v1/proof/event?${query}`)

beforeEach(async () => {
  server = await startServer()
})

describe('the proof of an event, over HTTP (Q16)', () => {
  beforeEach(async () => {
    await write('a-1', 150)
    await write('duty-x', 3)
    await write('b-1', 150)
    await seal()
  })

  it('by its position, its place in its stream and its id: the same, with its stored bytes', async () => {
    const events = await all()
    for (const one of [events[0]!, events[149]!, events.at(-1)!]) {
      const { status, body } = await proof(`position=${one.position}`)
      expect(status).toBe(200)
      expect(body.event).toMatchObject({
        id: one.id,
        stream: one.stream,
        position: `${one.position}`,
        data: one.data,
      })
      const { extra } = parseProofFile(body.proof)
      expect(Buffer.from(extra!).toString().split('\n').slice(6, 8)).toEqual([
        hash('sha256', body.event.data, 'base64'),
        hash('sha256', body.event.metadata, 'base64'),
      ])
      for (const query of [`stream=${one.stream}&revision=${one.revision}`, `id=${one.id}`])
        expect((await proof(query)).body).toEqual(body)
    }
  })

  it('the file alone is what an outsider verifies, by the policy that the tree is shown with', async () => {
    const { text, headers } = await proof('stream=b-1&revision=7&format=file')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.tlog-proof"$/)
    const { head } = (await server.get('/api/v1/proof/tree')).body
    expect(verifyProof(text, head.policy).failures).toBe(0)
  })

  it('of an event that was changed: the bytes as they are now, which are not those of the entry', async () => {
    bySql(`UPDATE events SET data = replace(data, '{', '{ ') WHERE position = 5`)
    const { body } = await proof('position=5')
    const { extra } = parseProofFile(body.proof)
    expect(Buffer.from(extra!).toString()).not.toContain(hash('sha256', body.event.data, 'base64'))
  })

  it('of an event that is no more: without bytes, and the leaf all the same', async () => {
    const [first] = await all()
    bySql('DELETE FROM events WHERE position = (SELECT min(position) FROM events)')
    const { status, body } = await proof(`stream=${first!.stream}&revision=${first!.revision}`)
    expect([status, body.event, body.index]).toEqual([200, null, '0'])
    expect((await proof(`position=${first!.position}`)).body.code).toBe('no-such-event')
  })

  it('one that is not sealed yet: up to where it is, and what to do', async () => {
    await write('a-1')
    const { position, id } = (await all()).at(-1)!
    const before = (await all()).at(-2)!.position
    for (const query of [`position=${position}`, 'stream=a-1&revision=150', `id=${id}`]) {
      const { status, body } = await proof(query)
      expect([query, status, body.code, body.sealedTo]).toEqual([query, 409, 'not-sealed', `${before}`])
      expect(body.detail).toContain(`the newest head reaches to event ${before}`)
      expect(body.detail).toContain('role sealer: ask again')
    }
  })

  it('one about processes is never sealed', async () => {
    expect((await proof('stream=duty-x&revision=0')).body.code).toBe('never-sealed')
  })

  it('one that was put before sealed events is named as inserted', async () => {
    bySql(`UPDATE events SET revision = 1000 WHERE position = 20`)
    const { status, body } = await proof('position=20')
    expect([status, body.code]).toEqual([409, 'inserted'])
    expect(body.detail).toContain('fonds proof check')
  })

  it.each(['position=99999', 'id=x', 'stream=a-1&revision=150', 'stream=no&revision=0', 'position=-1'])(
    '%s: there is no such event',
    async (query) => {
      expect(await proof(query)).toMatchObject({ status: 404, body: { code: 'no-such-event' } })
    },
  )

  it.each(['', 'stream=a-1', 'revision=1', 'position=1&id=x', 'position=x', 'id=x&stream=a-1&revision=1'])(
    '"%s" names no event, or two',
    async (query) => {
      expect(await proof(query)).toMatchObject({ status: 400, body: { code: 'wrong-parameter' } })
    },
  )

  it('is given, too, where the policy of witnesses cannot be read: the state of the tree names that', async () => {
    const { home } = server.system.config
    const file = join(home, 'wrong.policy')
    writeFileSync(file, 'quorum of them\n')
    server = await startServer({ settings: { home, proofPolicy: file } })
    await write('a-1', 3)
    await seal()
    const { status, body } = await proof('stream=a-1&revision=0')
    expect([status, body.policy]).toEqual([200, expect.stringContaining('quorum none')])
    const { wrong } = (await server.get('/api/v1/proof/tree')).body
    expect(wrong.reason).toContain('wrong.policy')
    expect(wrong.help).toContain('FONDS_PROOF_POLICY')
  })

  it('a leaf that is not the one that was signed: the tree is damaged', async () => {
    writeFileSync(join(server.system.config.home, 'proof/tile/0/000'), Buffer.alloc(8192))
    const { status, body } = await proof('position=1')
    expect([status, body.code]).toEqual([409, 'tree-damaged'])
  })

  it.each(['tile/0/000', 'tile/entries/000'])('%s was cut: the answer names it', async (file) => {
    writeFileSync(join(server.system.config.home, 'proof', file), 'short')
    const { status, body } = await proof('position=1')
    expect([status, body.code]).toEqual([409, 'tree-damaged'])
    expect(body.detail).toContain(`${file} in `)
  })
})

describe('how the tree stands', () => {
  const tree = async () => (await server.get('/api/v1/proof/tree')).body

  it('is none before anything is sealed: so is a proof', async () => {
    await write('a-1')
    expect(await tree()).toMatchObject({ state: 'none', head: null, isSealing: false, check: null })
    const { status, body } = await proof('position=1')
    expect([status, body.code]).toEqual([404, 'no-tree'])
    expect(body.detail).toContain('fonds start')
  })

  it('is sealed: head, keys, how far', async () => {
    await write('a-1', 3)
    await seal()
    await write('a-1')
    const { head, ...rest } = await tree()
    const [last, newest] = (await all()).slice(-2)
    expect(rest).toEqual({
      ...{ state: 'sealed', wrong: null, unsealed: [], isSealing: false, witnessed: null, check: null },
      ...{ sealedTo: `${last!.position}`, logHead: `${newest!.position}` },
    })
    expect(head).toMatchObject({ origin: 'archive.example/log', size: '3' })
    expect(head.checkpoint).toContain(`archive.example/log\n3\n${head.root}\n`)
    expect(parsePolicy(head.policy).logs.map(({ key }) => key)).toEqual(head.keys)
  })

  it('is behind: the log lacks what was sealed', async () => {
    await write('a-1', 3)
    await seal()
    bySql('DELETE FROM events WHERE position = (SELECT max(position) FROM events)')
    const { state, wrong } = await tree()
    expect(state).toBe('behind')
    expect(wrong.reason).toContain('it lacks leaf 2, revision 2 of a-1')
    expect(wrong.help).toContain('fonds do proof.replace-tree')
  })

  it('is damaged, or without its key: says which, and what to do', async () => {
    await write('a-1', 3)
    await seal()
    const { home } = server.system.config
    renameSync(join(home, 'proof/tile'), join(home, 'proof/tile-away'))
    expect(await tree()).toMatchObject({
      state: 'damaged',
      head: null,
      wrong: { help: expect.stringContaining('put the folder back') },
    })
    rmSync(join(home, 'proof-key'), { recursive: true })
    expect(await tree()).toMatchObject({
      state: 'keyless',
      wrong: { reason: expect.stringContaining('proof-key') },
    })
  })

  it('has the last comparison with the log, and what it found', async () => {
    await write('a-1', 3)
    await seal()
    const at = '2026-11-30T13:00:00.000Z'
    const state = {
      origin: 'archive.example/log',
      next: '0',
      at,
      wholeAt: at,
      differences: ['revision 1 of a-1 …'],
    }
    writeFileSync(join(server.system.config.home, 'proof-check.json'), JSON.stringify(state))
    expect((await tree()).check).toEqual({ at, wholeAt: at, differences: ['revision 1 of a-1 …'] })
  })
})
