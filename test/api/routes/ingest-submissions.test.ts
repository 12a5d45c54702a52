import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { submitted } from '../../ingest-submitted.ts'
import { patience } from '../../patience.ts'
import { type Part, send, url, who } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

const submission = {
  profile: 'default',
  submitter: 'ada',
  payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
  mode: 'add',
}

describe('a submission as JSON', () => {
  it('is on its topic when it is answered with its public id', async () => {
    const { post, system } = await startServer()
    const { status, body } = await post(url, submission)
    expect(status).toBe(202)
    expect(body).toEqual({
      batch: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: `/api/v1/ingest/batches/${body.batch}`,
    })
    expect(await submitted(system)).toEqual([{ batch: body.batch, ...submission, foreign: true }])
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
    expect(await wrong({ ...submission, localId: ['a'] })).toEqual([
      400,
      'unknown-field',
      'localId',
      expect.stringContaining('there are profile, submitter, payload, mode, primary, localIds'),
    ])
    const payload = (more: object) => ({ ...submission, payload: { ...submission.payload, ...more } })
    expect(await wrong(payload({ url: 'ftp://host.example/a' }))).toEqual([
      400,
      'wrong-field',
      'payload.url',
      expect.any(String),
    ])
    expect(await wrong(payload({ digest: { algorithm: 'gost', value: 'ab' } }))).toEqual([
      400,
      'wrong-field',
      'payload.digest.algorithm',
      expect.stringContaining('gost is not known; there are md2'),
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
    await waitUntilIdle(system)
    const again = await post(url, submission, key)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(await submitted(system)).toHaveLength(1)
    expect(await post(url, { ...submission, mode: 'update' }, key)).toMatchObject({
      status: 409,
      body: { code: 'another-submission', path: 'idempotency-key' },
    })
  })
})

describe('a file of this machine', () => {
  const at = (url: string) => ({ ...submission, payload: { url } })

  it('X8: is not taken by its address over HTTP, but beneath the folders of the setting', async () => {
    const closed = await startServer()
    for (const given of ['file:///etc/passwd', 'FILE:/etc/passwd']) {
      const { status, body } = await closed.post(url, at(given))
      expect([status, body.code, body.path]).toEqual([400, 'wrong-field', 'payload.url'])
      expect(body.detail).toContain('send the file itself')
    }
    const form: readonly Part[] = [...who, ['url', 'file:///etc/passwd']]
    expect(await send(closed, form)).toMatchObject({ status: 400, body: { path: 'payload.url' } })
    expect(await submitted(closed.system)).toEqual([])

    const open = await startServer({ settings: { ingestFolders: '/srv/scans, /srv/maps' } })
    const statusOf = async (given: string) => (await open.post(url, at(given))).status
    expect(await statusOf('file:///srv/maps/a.tif')).toBe(202)
    expect(await statusOf('file:///srv/maps')).toBe(202)
    for (const outside of ['file:///srv/maps2/a.tif', 'file:///srv/maps/%2e%2e/a.tif', 'file:///srv/'])
      expect(await statusOf(outside), outside).toBe(400)
  })

  it('X8: is not read where a manifest that came over HTTP names it; what came with it is', async () => {
    const server = await startServer({ roles: ['processors', 'reactions', 'projections', 'workers'] })
    const rows = (...urls: readonly string[]) =>
      [
        '#%checkm_0.7',
        '#%profile | http://host.example/mrt-single-file-batch-manifest',
        ...urls.map((one) => `${one} | | | | | `),
        '#%eof\n',
      ].join('\n')
    const other = await send(server, [...who, ['file', 'mine', 'a.txt']])
    const drop = pathToFileURL(`${server.system.config.home}/drop/${other.body.batch}/a.txt`).href
    const { body } = await send(server, [...who, ['file', rows(drop, 'file:///etc/passwd'), 'b.checkm']])
    await expect
      .poll(async () => (await server.get(body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'failed', jobs: 2, failed: 2 })
    const jobs = await server.get(`/api/v1/views/ingest-jobs?where=batch=${body.batch}`)
    for (const { message } of jobs.body.rows) expect(message).toContain('is not in a folder that may be read')
    await expect
      .poll(async () => (await server.get(other.body.status)).body, { timeout: patience })
      .toMatchObject({ state: 'completed' })
  })
})
