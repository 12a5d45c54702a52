import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBucket } from '#infra/s3/bucket.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { housekeepingDecider } from '#src/domain/ingest/housekeeping/decide.ts'
import { housekeepingStream } from '#src/domain/ingest/ids.ts'
import { slowDown, startS3 } from '../../fakes/s3-server.ts'
import { submitted } from '../../ingest-submitted.ts'
import { patience } from '../../patience.ts'
import { dropped, type Part, send, sha256, who } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

/* Uploads over HTTP where the storage root is in a bucket: they lie beside it, and any node works on them. */

type Given = NonNullable<Parameters<typeof startServer>[0]>
const folding = ['processors', 'reactions', 'projections'] as const
const working = [...folding, 'workers'] as const

const world = async (roles?: Given['roles'], settings: Given['settings'] = {}) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const s3 = await startS3({ minPartBytes: 1 })
  onTestFinished(() => s3.close())
  const server = await startServer({
    ...(roles && { roles }),
    settings: { s3Endpoint: s3.endpoint, ingestStorage: 's3://bucket/archive/root', ...settings },
  })
  const client = openBucket('bucket', { endpoint: s3.endpoint })
  onTestFinished(() => client.close())
  const keys = async (prefix = 'archive/root.uploads/'): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { objects } of client.list({ prefix }))
      found.push(...objects.map(({ key }) => key.slice(prefix.length)))
    return found
  }
  const open = async () => {
    let count = 0
    for await (const _ of client.uploads({})) count += 1
    return count
  }
  return { s3, server, client, keys, open }
}

const all = async <A>(source: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = []
  for await (const one of source) found.push(one)
  return found
}

const upload = '[0-9a-f-]{36}'

describe('an upload to a node with its storage in a bucket', () => {
  it('lies beside the storage root, and no node is named that alone could take it in', async () => {
    const { server, keys, client } = await world()
    const { status, body } = await send(server, [...who, ['file', 'Dear Ada', 'brüder 100%20.txt']])
    expect([status, body.files]).toEqual([
      202,
      [{ path: 'brüder 100%20.txt', size: 8, sha256: sha256('Dear Ada') }],
    ])
    const [data] = await submitted(server.system)
    expect(data?.site).toBeUndefined()
    expect(data?.payload).toEqual({
      url: expect.stringMatching(
        new RegExp(`^s3://bucket/archive/root\\.uploads/${body.batch}/${upload}/brüder 100%20\\.txt$`),
      ),
      name: 'brüder 100%20.txt',
      size: 8,
      digest: { algorithm: 'sha256', value: sha256('Dear Ada') },
    })
    const key = data!.payload.url.slice('s3://bucket/'.length)
    const { body: bytes } = await client.get(key)
    expect(Buffer.concat(await all(bytes)).toString()).toBe('Dear Ada')
    expect(await keys()).toHaveLength(2)
    expect(dropped(server.system)).toEqual([])
  })

  it.each<[string, readonly Part[], readonly string[]]>([
    ['one file', [['file', 'a', 'a%20b.txt']], ['a%20b.txt']],
    [
      'several',
      [
        ['file', 'a', 'x/a.txt'],
        ['file', 'b', 'b.txt'],
      ],
      ['b.txt', 'x/a.txt'],
    ],
    [
      'each one',
      [
        ['type', 'each-file'],
        ['file', 'a', 'x/a.txt'],
        ['file', 'b', 'b.txt'],
      ],
      ['b.txt', 'x/a.txt'],
    ],
    [
      'a bag',
      [
        ['file', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n', 'bag/bagit.txt'],
        [
          'file',
          `${createHash('sha256').update('a').digest('hex')}  data/a.txt\n`,
          'bag/manifest-sha256.txt',
        ],
        ['file', 'a', 'bag/data/a.txt'],
      ],
      ['bagit.txt', 'data/a.txt', 'manifest-sha256.txt'],
    ],
  ])('is taken in: %s', async (_, files, paths) => {
    const { server } = await world(working)
    const { body } = await send(server, [...who, ...files])
    await expect
      .poll(async () => (await server.get(body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'completed', failed: 0 })
    const { body: found } = await server.get('/api/v1/views/ingest-files?where=path^=producer/')
    expect(found.rows.map(({ path }: { path: string }) => path.slice('producer/'.length)).sort()).toEqual(
      paths,
    )
  })

  it('is one batch for one key: equal files again are the same, others are refused, and neither stays', async () => {
    const { server, keys } = await world(folding)
    const key = { 'idempotency-key': 'k2' }
    const parts: readonly Part[] = [...who, ['file', 'x', 'a.txt'], ['file', 'y', 'b/c.txt']]
    const first = await send(server, parts, key)
    const kept = await keys()
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    await waitUntilIdle(server.system)
    const known = await keys()
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    const others: readonly Part[] = [...who, ['file', 'z', 'a.txt'], ['file', 'y', 'b/c.txt']]
    expect(await send(server, others, key)).toMatchObject({
      status: 409,
      body: { code: 'another-submission', path: 'idempotency-key' },
    })
    expect(await keys()).toEqual(known)
    expect(known).toEqual(expect.arrayContaining([...kept]))
    const { body } = await server.get(`/api/v1/views/ingest-batches`)
    expect(body.rows).toHaveLength(1)
  })

  it('of two with other files under one key at once one is refused', async () => {
    const { server } = await world()
    const key = { 'idempotency-key': 'k3' }
    const answers = await Promise.all(
      ['x', 'y'].map((bytes) =>
        send(server, [...who, ['file', bytes, 'a.txt'], ['file', 'b', 'b.txt']], key),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
  })

  it.each<[string, readonly Part[], object]>([
    [
      'with a name twice',
      [
        ['file', 'a', 'a.txt'],
        ['file', 'b', 'a.txt'],
      ],
      { status: 400 },
    ],
    [
      'with a file that is a folder',
      [
        ['file', 'a', 'a'],
        ['file', 'b', 'a/b'],
      ],
      { status: 400 },
    ],
    [
      'with a folder that is a file',
      [
        ['file', 'a', 'a/b/c'],
        ['file', 'b', 'a'],
      ],
      { status: 400 },
    ],
    ['with a name that no key can have', [['file', 'a', `${'a/'.repeat(600)}b`]], { status: 400 }],
    ['with a name that leads out', [['file', 'a', '../a']], { status: 400 }],
    [
      'with a wrong field behind it',
      [
        ['file', 'a', 'a.txt'],
        ['mode', 'none'],
      ],
      { status: 400 },
    ],
    [
      'with another digest, named behind it',
      [
        ['file', 'a', 'a.txt'],
        ['digestType', 'md5'],
        ['digestValue', 'f'.repeat(32)],
      ],
      { status: 400, body: { path: 'digestValue' } },
    ],
    [
      'with more bytes than allowed, in parts',
      [
        ['file', Buffer.alloc(17 * 1024 ** 2), 'a.bin'],
        ['file', Buffer.alloc(2 * 1024 ** 2), 'b.bin'],
      ],
      { status: 413 },
    ],
    [
      'in parts, with a wrong field behind it',
      [
        ['file', Buffer.alloc(17 * 1024 ** 2), 'a'],
        ['mode', 'none'],
      ],
      { status: 400 },
    ],
  ])('leaves nothing where it is refused: %s', async (_, parts, refusal) => {
    const { server, keys, open } = await world(undefined, { ingestUploadBytes: 18 * 1024 ** 2 })
    expect(await send(server, [...who, ...parts])).toMatchObject(refusal)
    expect([await keys(), await open(), await submitted(server.system)]).toEqual([[], 0, []])
  })

  it('is compared with a digest that is named behind it', async () => {
    const { server } = await world()
    const md5 = createHash('md5').update('a').digest('hex')
    const parts: readonly Part[] = [
      ['file', 'a', 'a.txt'],
      ['digestType', 'md5'],
      ['digestValue', md5],
    ]
    expect(await send(server, [...who, ...parts])).toMatchObject({ status: 202 })
  })

  it('is refused while the bucket does not answer, or the root is another archive’s; the answer says so', async () => {
    const { server, s3, client, keys } = await world(working)
    const first = await send(server, [...who, ['file', 'a', 'a.txt']])
    await expect
      .poll(async () => (await server.get(first.body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'completed' })
    const before = await keys()
    s3.beforeEach(({ method }) => (method === 'PUT' ? slowDown : undefined))
    expect(await send(server, [...who, ['file', 'b', 'b.txt']])).toMatchObject({
      status: 503,
      body: { code: 'away', detail: expect.stringContaining('s3://bucket/archive/root.uploads/') },
    })
    s3.beforeEach(undefined)
    await client.delete('archive/root/fonds_root.json')
    expect(await send(server, [...who, ['file', 'c', 'c.txt']])).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('s3://bucket/archive/root') },
    })
    expect(await keys()).toEqual(before)
  })

  it('X8: what others uploaded is not read where a manifest names it', async () => {
    const { server } = await world(working)
    const other = await send(server, [...who, ['file', 'mine', 'a.txt']])
    const [data] = await submitted(server.system)
    const rows = ['#%checkm_0.7', '#%profile | http://host.example/mrt-single-file-batch-manifest']
    const manifest = [...rows, `${data!.payload.url} | | | | | `, '#%eof\n'].join('\n')
    const { body } = await send(server, [...who, ['file', manifest, 'b.checkm']])
    await expect
      .poll(async () => (await server.get(body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'failed', jobs: 1, failed: 1 })
    const jobs = await server.get(`/api/v1/views/ingest-jobs?where=batch=${body.batch}`)
    for (const { message } of jobs.body.rows) expect(message).toContain('is not in a bucket that may be read')
    expect((await server.get(other.body.status)).body).toMatchObject({ failed: 0 })
  })

  it('goes with the work folder of its job, for good also from a bucket that keeps versions (I39)', async () => {
    const { server, s3, client, keys } = await world(working)
    s3.bucket('bucket').isVersioned = true
    const { body } = await send(server, [...who, ['file', 'a', 'a.txt'], ['file', 'b', 'b/b.txt']])
    await expect
      .poll(async () => (await server.get(body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'completed' })
    expect(await keys()).toHaveLength(3)
    const at = server.system.clock.now()
    const command = {
      type: 'RequestCleaning',
      before: '2999-01-01T00:00:00.000Z',
      reason: 'full',
      actor: 'ada',
      at,
    } as const
    await server.system.execute(housekeepingDecider, {
      stream: housekeepingStream,
      command,
      causationId: 'clean',
    })
    await expect.poll(() => keys(), { timeout: patience }).toEqual([])
    await expect
      .poll(
        async () => {
          return (await all(client.versions({ prefix: 'archive/root.uploads/' }))).flat()
        },
        { timeout: patience },
      )
      .toEqual([])
  })
})
