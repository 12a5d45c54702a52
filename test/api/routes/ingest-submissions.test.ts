import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { listen } from '#src/api/create-api.ts'
import { messageOf, readTopic } from '#src/app/read-topic.ts'
import { settle } from '#src/app/settle.ts'
import type { System } from '#src/app/system.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import { patience } from '../../patience.ts'
import { startServer } from '../server.ts'

const url = '/api/v1/ingest/submissions'

const submission = {
  profile: 'default',
  submitter: 'ada',
  payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
  mode: 'add',
}

type Given = Awaited<ReturnType<typeof startServer>>

/** What stands on the topic, in the order in which it was submitted. */
const submitted = async ({ broker }: System) => {
  const page = await readTopic(broker, submissionsTopic.name, 'start', 100)
  if (isLeft(page)) throw new Error('the topic cannot be read')
  // biome-ignore lint/suspicious/noExplicitAny: assertions say what is there
  const messages = page.right.records.map((record) => messageOf(record).value as any)
  return messages.sort((one, other) => (one.batch < other.batch ? -1 : 1))
}

const dropped = ({ config }: System): readonly string[] => {
  const folder = join(config.home, 'drop')
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []
}

type Part = readonly [name: string, value: string | Uint8Array, filename?: string]

const boundary = '----a-form'
const formBytes = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, value, filename]) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`}\r\n\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const formType = `multipart/form-data; boundary=${boundary}`

const send = ({ request }: Given, parts: readonly Part[], headers: Record<string, string> = {}) =>
  request({
    method: 'POST',
    url,
    payload: formBytes(parts),
    headers: { 'content-type': formType, ...headers },
  })

const who: readonly Part[] = [
  ['profile', 'default'],
  ['submitter', 'ada'],
]
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

describe('a submission as JSON', () => {
  it('is on its topic when it is answered with its public id', async () => {
    const { post, system } = await startServer()
    const { status, body } = await post(url, submission)
    expect(status).toBe(202)
    expect(body).toEqual({
      batch: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: `/api/v1/ingest/batches/${body.batch}`,
    })
    expect(await submitted(system)).toEqual([{ batch: body.batch, ...submission }])
  })

  it('X1: is refused with the field, and nothing is kept', async () => {
    const { post, system } = await startServer()
    const wrong = async (given: unknown): Promise<unknown[]> => {
      const { status, body } = await post(url, given)
      return [status, body.code, body.path, body.detail]
    }
    expect(await wrong({ ...submission, profile: 'letters' })).toEqual([
      400,
      'unknown-profile',
      'profile',
      expect.stringContaining('there is no profile letters; set it first'),
    ])
    expect(await wrong({ ...submission, submitter: '' })).toEqual([
      400,
      'wrong-body',
      'submitter',
      expect.any(String),
    ])
    expect(await wrong({ ...submission, primary: 'doi:1' })).toEqual([
      400,
      'wrong-body',
      'primary',
      expect.any(String),
    ])
    const payload = (more: object) => ({ ...submission, payload: { ...submission.payload, ...more } })
    expect(await wrong(payload({ url: 'ftp://host.example/a' }))).toEqual([
      400,
      'wrong-field',
      'payload.url',
      expect.any(String),
    ])
    expect(await wrong(payload({ digest: { algorithm: 'sha3', value: 'ab' } }))).toEqual([
      400,
      'wrong-field',
      'payload.digest.algorithm',
      expect.stringContaining('sha3 is not known; there are md5'),
    ])
    expect(await wrong(payload({ type: 'container', url: 'https://host.example/a.7z' }))).toEqual([
      400,
      'wrong-field',
      'payload.type',
      expect.stringContaining('7z is not unpacked here; send a zip or a tar'),
    ])
    expect(await submitted(system)).toEqual([])
  })

  it('has one batch for one idempotency key, and another submission under it is refused', async () => {
    const { post, system } = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const key = { 'idempotency-key': 'k1' }
    const first = await post(url, submission, key)
    await settle(system)
    const again = await post(url, submission, key)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(await submitted(system)).toHaveLength(1)
    expect(await post(url, { ...submission, mode: 'update' }, key)).toMatchObject({
      status: 409,
      body: { code: 'another-submission', path: 'idempotency-key' },
    })
  })
})

describe('a submission as a form', () => {
  it('with one file: its bytes lie in the drop area, with size and digest', async () => {
    const server = await startServer()
    const { status, body } = await send(server, [
      ...who,
      ['type', 'file'],
      ['creator', 'Ada Example'],
      ['localIdentifier', 'a; b;a'],
      ['dc.subject', 'letters'],
      ['title', ''],
      ['file', 'Dear Ada', 'brüder.txt'],
    ])
    expect(status).toBe(202)
    const files = [{ path: 'brüder.txt', size: 8, sha256: sha256('Dear Ada') }]
    expect(body).toEqual({ batch: body.batch, status: `/api/v1/ingest/batches/${body.batch}`, files })
    const [data] = await submitted(server.system)
    expect(data).toEqual({
      batch: body.batch,
      profile: 'default',
      submitter: 'ada',
      mode: 'add',
      localIds: ['a', 'b'],
      description: { who: 'Ada Example', dublinCore: { subject: ['letters'] } },
      payload: {
        url: expect.stringMatching(/^file:\/\//),
        name: 'brüder.txt',
        size: 8,
        digest: { algorithm: 'sha256', value: sha256('Dear Ada') },
        type: 'file',
      },
    })
    const path = fileURLToPath(data.payload.url)
    expect(path).toBe(join(server.system.config.home, 'drop', body.batch, 'brüder.txt'))
    expect(readFileSync(path, 'utf8')).toBe('Dear Ada')
  })

  it('with several files is a folder, or an object each where that is asked for', async () => {
    const server = await startServer()
    const files: readonly Part[] = [
      ['file', 'one', 'letters/1.txt'],
      ['file', 'two', 'letters/2.txt'],
      ['file', 'three', '3.txt'],
    ]
    const folder = await send(server, [...who, ...files])
    const each = await send(server, [...who, ...files, ['type', 'EachFile']])
    const bag = await send(server, [...who, ['file', 'BagIt-Version: 1.0', 'bagit.txt'], ...files])
    const messages = await submitted(server.system)
    expect(messages.map(({ payload }) => payload)).toEqual([
      { url: expect.stringMatching(`/drop/${folder.body.batch}/$`), type: 'folder' },
      { url: expect.stringMatching(`/drop/${each.body.batch}/$`), type: 'each-file' },
      { url: expect.stringMatching(`/drop/${bag.body.batch}/$`), type: 'bag' },
    ])
    expect(dropped(server.system)).toEqual(
      expect.arrayContaining([`${folder.body.batch}/letters/1.txt`, `${each.body.batch}/3.txt`]),
    )
    expect(folder.body.files.map(({ path }: { path: string }) => path)).toEqual([
      'letters/1.txt',
      'letters/2.txt',
      '3.txt',
    ])
  })

  it('with a url in place of files is what JSON is', async () => {
    const server = await startServer()
    const url = 'https://host.example/a.zip'
    const digest: readonly Part[] = [
      ['digestType', 'md5'],
      ['digestValue', 'd41d8cd98f00b204e9800998ecf8427e'],
    ]
    expect(await send(server, [...who, ['url', url], ['size', '12'], ...digest])).toMatchObject({
      status: 202,
    })
    expect((await submitted(server.system))[0].payload).toEqual({
      url,
      size: 12,
      digest: { algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' },
    })
    expect(dropped(server.system)).toEqual(['.coming'])
  })

  it.each<readonly [string, readonly Part[], string, string]>([
    ['a field that there is not', [['colour', 'red']], 'colour', 'is no field of a submission'],
    ['a wrong value', [['mode', 'replace']], 'mode', 'wants'],
    ['an ARK that is none', [['primaryIdentifier', 'doi:1']], 'primaryIdentifier', 'wants ARK'],
    [
      'a field twice',
      [
        ['title', 'a'],
        ['what', 'b'],
      ],
      'what',
      'is given twice',
    ],
    ['a missing file', [['file', 'text']], 'file', 'is no field'],
    ['nothing to take in', [], 'file', 'send at least one file'],
    ['another file field', [['scan', 'x', 'a.txt']], 'scan', 'files are sent as the field file'],
    ['a file without a name', [['file', 'x', '']], 'file', 'has no name'],
    ['a name that leads out', [['file', 'x', '../a.txt']], 'file', 'leads out of the folder'],
    [
      'one name twice',
      [
        ['file', 'x', 'a.txt'],
        ['file', 'y', 'a.txt'],
      ],
      'file',
      'two are named',
    ],
    [
      'a digest of other bytes',
      [
        ['file', 'x', 'a.txt'],
        ['digestType', 'sha-256'],
        ['digestValue', sha256('y')],
      ],
      'digestValue',
      'send the file again',
    ],
    [
      'half a digest',
      [
        ['digestType', 'md5'],
        ['file', 'x', 'a.txt'],
      ],
      'digestValue',
      'give both',
    ],
    [
      'another size',
      [
        ['size', '5'],
        ['file', 'x', 'a.txt'],
      ],
      'size',
      '1 bytes came',
    ],
    ['7z', [['file', 'x', 'a.7z']], 'payload.type', '7z is not unpacked here'],
    [
      'several where one is wanted',
      [
        ['type', 'object-manifest'],
        ['file', 'x', 'a.txt'],
        ['file', 'y', 'b.txt'],
      ],
      'type',
      'is manifest, which is one file, and 2 came',
    ],
    [
      'a file and a url',
      [
        ['url', 'https://a.example/'],
        ['file', 'x', 'a.txt'],
      ],
      'url',
      'send one of them',
    ],
  ])('X1: %s is refused by name, and nothing is kept', async (_, parts, path, says) => {
    const server = await startServer()
    const { status, body } = await send(server, [...who, ...parts])
    expect([status, body.code, body.path]).toEqual([400, 'wrong-field', path])
    expect(body.detail).toContain(says)
    expect(dropped(server.system)).toEqual(['.coming'])
    expect(await submitted(server.system)).toEqual([])
  })

  it('X1: an unknown profile is refused before the files have come, and a form that is none too', async () => {
    const server = await startServer()
    expect(
      await send(server, [
        ['profile', 'letters'],
        ['file', 'x', 'a.txt'],
      ]),
    ).toMatchObject({
      status: 400,
      body: { code: 'unknown-profile', path: 'profile' },
    })
    const cut = formBytes([...who, ['file', 'x', 'a.txt']]).subarray(0, -20)
    const headers = { 'content-type': formType }
    expect(await server.request({ method: 'POST', url, payload: cut, headers })).toMatchObject({
      status: 400,
      body: { code: 'bad-form' },
    })
    const bare = { 'content-type': 'multipart/form-data' }
    expect(await server.request({ method: 'POST', url, payload: cut, headers: bare })).toMatchObject({
      status: 400,
      body: { code: 'bad-form' },
    })
    expect(dropped(server.system)).toEqual(['.coming'])
  })

  it('is refused when its files are larger than may be sent, by what is said and by what comes', async () => {
    const server = await startServer({ settings: { ingestUploadBytes: 1000 } })
    const parts: readonly Part[] = [...who, ['file', 'x'.repeat(600), 'a'], ['file', 'x'.repeat(600), 'b']]
    expect(await send(server, parts)).toMatchObject({
      status: 413,
      body: { code: 'too-many-bytes', path: 'file' },
    })
    const large = Buffer.alloc(11 * 1024 * 1024)
    expect(await send(server, [['file', large, 'a']])).toMatchObject({
      status: 413,
      body: { code: 'too-large' },
    })
    expect(dropped(server.system)).not.toContainEqual(expect.stringContaining('/'))
    expect(await submitted(server.system)).toEqual([])
  })

  it('has one batch for one key, whose files are those that came first', async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const key = { 'idempotency-key': 'k2' }
    const parts: readonly Part[] = [...who, ['file', 'x', 'a.txt'], ['file', 'y', 'b/c.txt']]
    const first = await send(server, parts, key)
    // On the topic, and perhaps not yet a batch.
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    await settle(server.system)
    expect(await send(server, parts, key)).toMatchObject({ status: 202, body: first.body })
    const others: readonly Part[] = [...who, ['file', 'z', 'a.txt'], ['file', 'y', 'b/c.txt']]
    expect(await send(server, others, key)).toMatchObject({
      status: 409,
      body: { code: 'another-submission', path: 'idempotency-key' },
    })
    expect(dropped(server.system).filter((path) => path.includes('/'))).toEqual([
      `${first.body.batch}/a.txt`,
      `${first.body.batch}/b`,
      `${first.body.batch}/b/c.txt`,
    ])
  })

  it('is refused where nothing more of it comes, and its connection ends', async () => {
    const { app, system } = await startServer({ settings: { stallSeconds: 1 } })
    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
    const bytes = formBytes([...who, ['file', 'x'.repeat(1000), 'a.txt']])
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formType}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 500))
    const answer = await text(socket)
    expect(answer).toContain('HTTP/1.1 408')
    expect(answer).toContain('nothing of the form came for 1 seconds; send it again')
    expect(dropped(system)).toEqual(['.coming'])
  })

  it('is taken in as it was sent, and its status says so', async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections', 'workers'] })
    const bytes = Buffer.alloc(300_000, 'letters')
    const { body } = await send(server, [...who, ['title', 'Letters'], ['file', bytes, 'deep/ü.bin']])
    await expect
      .poll(async () => (await server.get(body.status)).body, { timeout: patience })
      .toMatchObject({ batch: body.batch, state: 'completed', title: 'Letters', jobs: 1, completed: 1 })
    const files = await server.get('/api/v1/views/ingest-files?where=path^=producer/')
    expect(files.body.rows).toMatchObject([
      { path: 'producer/deep/ü.bin', size: 300_000, sha256: sha256(bytes) },
    ])
  })

  it('is gone when the request breaks off, and what a process left behind is gone after a day', async () => {
    const { app, system } = await startServer()
    const left = join(system.config.home, 'drop', '.coming', 'left')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'a.txt'), 'half')
    const longAgo = new Date(Date.now() - 2 * 86_400_000)
    for (const path of [join(left, 'a.txt'), left]) utimesSync(path, longAgo, longAgo)

    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
    const bytes = formBytes([...who, ['file', 'x'.repeat(100_000), 'a.txt']])
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${formType}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 50_000))
    await expect.poll(() => dropped(system).some((path) => /^\.coming\/.{36}\/a.txt$/.test(path))).toBe(true)
    socket.destroy()
    await expect.poll(() => dropped(system)).toEqual(['.coming'])
    expect(await submitted(system)).toEqual([])
  })
})
