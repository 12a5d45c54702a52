import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { failing, startS3 } from '../../fakes/s3-server.ts'
import { reach } from '../fixity/bucket-store.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

const serverHere = async () => {
  const server = await startS3({ buckets: ['archive'] })
  onTestFinished(() => server.close())
  reach(server)
  return server
}
const probe = (...argv: readonly string[]) =>
  fonds.run(['storage', 'probe', 's3://archive/ocfl', '--actor', 'ada', '--reason', 'a new server', ...argv])

describe('storage probe', () => {
  test('says that ingest can store there, and records who wanted it and why', async () => {
    const server = await serverHere()
    const { code, rows } = await probe()
    expect(code).toBe(0)
    expect(rows).toMatchObject([{ address: 's3://archive/ocfl', canStore: true, leftovers: [] }])
    expect(server.bucket('archive').keys).toEqual([])
    const events = await fonds.run(['events', '--category', 'bucketProbe'])
    expect(events.rows).toMatchObject([
      {
        type: 'ProbeRequested',
        data: { address: 's3://archive/ocfl', reason: 'a new server', key: rows[0]?.key },
        metadata: { actor: 'ada' },
      },
      { type: 'ProbeEnded', data: { fails: [], leftovers: [] } },
    ])
  })

  test('leaves its actor and its reason in an object that may not be deleted, and names it', async () => {
    const server = await serverHere()
    server.beforeEach(({ kind }) => (kind === 'DeleteObject' ? failing(403, 'AccessDenied') : undefined))
    const { code, rows, err } = await probe()
    expect(code).toBe(1)
    const [key = ''] = server.bucket('archive').keys
    expect(server.bucket('archive').current(key)?.bytes.toString()).toMatch(/for ada at .*: a new server/)
    expect(rows).toMatchObject([{ canStore: false, leftovers: [{ key }] }])
    expect(err).toContain(key)
  })

  test('says where the log alone keeps writers from overwriting each other', async () => {
    const server = await serverHere()
    server.beforeEach(({ headers }) => void delete headers['if-none-match'])
    const { code, rows } = await probe()
    expect([code, rows[0]?.canStore]).toEqual([0, true])
    const note = expect.stringContaining('those of two logs would overwrite each other')
    expect(rows[0]?.results).toContainEqual({ step: 'if-none-match', works: 'no', note })
  })

  test('shows a table on a terminal', async () => {
    await serverHere()
    const { code, out } = await fonds.run(
      ['storage', 'probe', 's3://archive/ocfl', '--actor', 'ada', '--reason', 'a new server'],
      { terminal: 200 },
    )
    expect(code).toBe(0)
    expect(stripVTControlCharacters(out)).toMatch(/yes +refuse to write over it \(If-None-Match\)/)
    expect(stripVTControlCharacters(out)).toMatch(/yes +delete the object +needs it/)
  })

  test('is not made without an actor, a reason, or a prefix', async () => {
    const server = await serverHere()
    expect((await fonds.run(['storage', 'probe', 's3://archive/ocfl', '--reason', 'x'])).code).toBe(2)
    expect((await fonds.run(['storage', 'probe', 's3://archive/ocfl', '--actor', 'ada'])).code).toBe(2)
    const bare = await fonds.run(['storage', 'probe', 's3://archive', '--actor', 'ada', '--reason', 'x'])
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('names no prefix')])
    expect(server.counts.size).toBe(0)
  })
})
