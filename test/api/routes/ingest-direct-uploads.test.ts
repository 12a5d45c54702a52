import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBucket } from '#infra/s3/bucket.ts'
import { batches, jobs } from '#src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { seedObject, startS3 } from '../../fakes/s3-server.ts'
import { submitted } from '../../ingest-submitted.ts'
import { patience } from '../../patience.ts'
import { dropped, sha256 } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

/* Uploads that go straight to the bucket of the storage, by addresses that are signed for them. */

type Given = NonNullable<Parameters<typeof startServer>[0]>
const working = ['processors', 'reactions', 'projections', 'workers'] as const

const world = async (settings: Given['settings'] = {}, roles?: Given['roles']) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hush hush')
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const { port } = new URL(s3.endpoint)
  const server = await startServer({
    ...(roles && { roles }),
    settings: {
      s3Endpoint: s3.endpoint,
      ingestStorage: 's3://bucket/archive/root',
      ingestUploadEndpoint: `http://localhost:${port}`,
      ...settings,
    },
  })
  const client = openBucket('bucket', { endpoint: s3.endpoint })
  onTestFinished(() => client.close())
  const post = (path: string, body: object, headers = {}) =>
    server.request({
      method: 'POST',
      url: `/api/v1/ingest/${path}`,
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const offer = async (texts: Readonly<Record<string, string>>, headers = {}) => {
    const files = Object.entries(texts).map(([path, text]) => ({
      path,
      size: Buffer.byteLength(text),
      sha256: sha256(text),
    }))
    return { files, ...(await post('uploads', { files }, headers)) }
  }
  const fields = { profile: 'default', submitter: 'ada', title: 'Letters' }
  /** Writes what was offered, as a client does that knows nothing but the answer. */
  const upload = async (texts: Readonly<Record<string, string>>, body: Offered) => {
    for (const { path, requests } of body.files)
      for (const { url, headers, from, size } of requests) {
        const bytes = Buffer.from(texts[path]!).subarray(from, from + size)
        expect((await fetch(url, { method: 'PUT', body: bytes, headers })).status).toBe(200)
      }
  }
  return { s3, server, client, post, offer, upload, fields }
}

interface Offered {
  readonly batch: string
  readonly upload: string
  readonly files: readonly {
    readonly path: string
    readonly requests: readonly {
      readonly url: string
      readonly headers: Record<string, string>
      readonly from: number
      readonly size: number
    }[]
  }[]
}

describe('an upload straight to the bucket', () => {
  it('is a submission as one through a node: a folder of files, compared with what was announced', async () => {
    const { server, offer, upload, post, fields } = await world({}, working)
    const texts = { 'a/brüder 100%20.txt': 'Dear Ada', 'b.txt': '' }
    const { status, body, files } = await offer(texts)
    expect(status).toBe(201)
    expect(body.files[0].requests).toMatchObject([
      {
        number: 1,
        from: 0,
        size: 8,
        url: expect.stringMatching(/^http:\/\/localhost:.*X-Amz-Expires=21600/),
      },
    ])
    await upload(texts, body)
    const { batch, upload: id } = body
    const taken = await post('uploads/complete', { batch, upload: id, files, fields })
    expect([taken.status, taken.body]).toEqual([
      202,
      { batch, status: `/api/v1/ingest/batches/${batch}`, files },
    ])
    const row = await vi.waitFor(() => {
      const [found] = rowsIfFolded(server.system.viewStore, batches, {})
      expect(found).toMatchObject({ batch, state: 'completed', completed: 1 })
      return found
    }, patience)
    expect(row?.submission).toMatchObject({ foreign: true, description: { what: 'Letters' } })
    expect(dropped(server.system)).toEqual([])
    // No secret is in what the client sees or the log keeps.
    expect(JSON.stringify(body)).not.toContain('hush')
    expect(JSON.stringify(row)).not.toContain('X-Amz')
  })

  it('sent again with the same key, or completed twice, is one batch', async () => {
    const { server, offer, upload, post, fields } = await world()
    const texts = { 'a.txt': 'a' }
    const key = { 'idempotency-key': 'letter-1' }
    const first = await offer(texts, key)
    const second = await offer(texts, key)
    expect(second.body.batch).toBe(first.body.batch)
    expect(second.body.upload).not.toBe(first.body.upload)
    for (const { body, files } of [first, second, second]) {
      await upload(texts, body)
      const of = { batch: body.batch, upload: body.upload }
      expect(await post('uploads/complete', { ...of, files, fields })).toMatchObject({ status: 202 })
    }
    expect(new Set((await submitted(server.system)).map(({ batch }) => batch)).size).toBe(1)
  })

  it('completed again with other files, or other digests, is refused: the first list is kept', async () => {
    const { server, offer, upload, post, fields } = await world()
    const texts = { 'a.txt': 'a', 'b.txt': 'b' }
    const { body, files } = await offer(texts)
    await upload(texts, body)
    const complete = (some: readonly object[]) =>
      post('uploads/complete', { batch: body.batch, upload: body.upload, files: some, fields })
    expect(await complete(files)).toMatchObject({ status: 202 })
    for (const others of [files.slice(0, 1), files.map((file) => ({ ...file, sha256: sha256('X') }))]) {
      const refused = await complete(others)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.status).toBeLessThan(500)
    }
    expect(await complete(files)).toMatchObject({ status: 202 })
    expect(new Set((await submitted(server.system)).map(({ batch }) => batch)).size).toBe(1)
  })

  it('of one file announces its digest to the job', async () => {
    const { server, offer, upload, post, fields } = await world()
    const { body, files } = await offer({ 'a.txt': 'a' })
    await upload({ 'a.txt': 'a' }, body)
    const { batch, upload: id } = body
    await post('uploads/complete', { batch, upload: id, files, fields })
    expect((await submitted(server.system))[0]?.payload).toMatchObject({
      name: 'a.txt',
      size: 1,
      digest: { algorithm: 'sha256', value: sha256('a') },
    })
  })

  it.each([
    ['a file that was not written', {}, 'is not there'],
    ['a file of another size', { 'b.txt': 'longer than announced' }, 'has 21 bytes; 1 were announced'],
    ['a file with other bytes', { 'b.txt': 'X' }, `has the SHA-256 ${sha256('X')}`],
  ])('of %s is refused, and can be put right', async (_, put, reason) => {
    const { server, offer, upload, post, client, fields } = await world()
    const texts = { 'a.txt': 'a', 'b.txt': 'b' }
    const { body, files } = await offer(texts)
    const { batch, upload: id } = body
    await upload(texts, { ...body, files: body.files.slice(0, 1) })
    for (const [path, text] of Object.entries(put))
      await client.put(`archive/root.uploads/${batch}/${id}/${path}`, Buffer.from(text))
    const complete = () => post('uploads/complete', { batch, upload: id, files, fields })
    expect(await complete()).toMatchObject({
      status: 400,
      body: { code: 'wrong-field', detail: expect.stringContaining(reason) },
    })
    expect(await submitted(server.system)).toEqual([])
    await upload(texts, body)
    expect((await complete()).status).toBe(202)
  })

  it('of a file that the bucket compared with nothing is taken at once, unread; its job compares it', async () => {
    const { s3, server, offer, upload, post, fields } = await world({}, working)
    for (const type of ['folder', 'each-file']) {
      const texts = { 'a.txt': 'a', 'b.txt': 'b' }
      const { body, files } = await offer(texts)
      const { batch, upload: id } = body
      await upload(texts, body)
      seedObject(s3.bucket('bucket'), `archive/root.uploads/${batch}/${id}/b.txt`, 'X')
      const reads = s3.count('GetObject')
      const taken = await post('uploads/complete', { batch, upload: id, files, fields: { ...fields, type } })
      expect([taken.status, taken.body.status]).toEqual([202, `/api/v1/ingest/batches/${batch}`])
      if (type === 'folder') expect(s3.count('GetObject') - reads).toBeLessThan(3)
      await vi.waitFor(() => {
        const failed = rowsIfFolded(server.system.viewStore, jobs, {
          where: [is('batch', batch), is('state', 'failed')],
        })
        expect(failed.map(({ message }) => message)).toEqual([
          expect.stringContaining(`b.txt has the sha256 digest ${sha256('X')}; ${sha256('b')} was announced`),
        ])
      }, patience)
    }
  })

  it('of one file takes no other digest than that which was announced', async () => {
    const { offer, upload, post, fields } = await world()
    const { body, files } = await offer({ 'a.txt': 'a' })
    await upload({ 'a.txt': 'a' }, body)
    const { batch, upload: id } = body
    const complete = (more: object) =>
      post('uploads/complete', { batch, upload: id, files, fields: { ...fields, ...more } })
    expect(
      await complete({ digestType: 'md5', digestValue: '0cc175b9c0f1b6a831c399e269772661' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'wrong-field', detail: expect.stringContaining('the SHA-256 that the upload announced') },
    })
    expect((await complete({ digestType: 'sha256', digestValue: sha256('a') })).status).toBe(202)
  })

  it.each([
    ['a name that leaves the folder', { files: [{ path: '../a', size: 1, sha256: sha256('a') }] }, 400],
    ['a digest that is none', { files: [{ path: 'a', size: 1, sha256: 'abc' }] }, 400],
    ['no file', { files: [] }, 400],
    [
      'two files of one name',
      { files: ['a', 'a'].map((path) => ({ path, size: 1, sha256: sha256('a') })) },
      400,
    ],
    ['more bytes than may come', { files: [{ path: 'a', size: 5000, sha256: sha256('a') }] }, 413],
  ])('%s is refused before anything is offered', async (_, body, status) => {
    const { post, s3 } = await world({ ingestUploadBytes: 1000 })
    expect((await post('uploads', body)).status).toBe(status)
    expect(s3.count('PutObject')).toBe(0)
  })

  it.each([
    ['the setting is missing', { ingestUploadEndpoint: undefined }],
    ['the storage is a folder', { ingestStorage: '/nowhere/root' }],
  ])('is not offered where %s', async (_, settings) => {
    const { offer } = await world(settings as Given['settings'])
    expect(await offer({ 'a.txt': 'a' })).toMatchObject({
      status: 409,
      body: { code: 'not-offered', detail: expect.stringContaining('FONDS_INGEST_UPLOAD_ENDPOINT') },
    })
  })
})
