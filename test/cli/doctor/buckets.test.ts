import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failing, type S3Server, seedObject, startS3 } from '../../fakes/s3-server.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

describe('doctor, of a store in a bucket', () => {
  let server: S3Server
  beforeEach(async () => {
    server = await startS3({ buckets: ['archive'] })
    seedObject(server.bucket('archive'), 'masters/a', 'content')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'QZsecret')
    vi.stubEnv('AWS_CA_BUNDLE', '')
    const command = [
      'do',
      'fixity.register-store',
      'store=masters',
      'kind=folder',
      'root=s3://archive/masters',
    ]
    const { code, err } = await run(...command, '--actor', 'ada', '--reason', 'it is kept there')
    expect([code, err]).toEqual([0, expect.any(String)])
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.close()
  })

  const run = (...argv: readonly string[]) => fonds.run(argv, { env: { FONDS_S3_ENDPOINT: server.endpoint } })
  const bucketLine = async () => {
    const { rows, out } = await run('doctor')
    expect(out).not.toContain('QZsecret')
    return rows.find(({ check }) => check === 'bucket')
  }

  test('says that it may be read, and writes nothing', async () => {
    server.forgetCounts()
    expect(await bucketLine()).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/^masters: s3:\/\/archive\/masters answers, may be listed, .*crc64nvme/),
    })
    expect([...server.counts.keys()].filter((kind) => /Put|Delete|Upload|Create/.test(kind))).toEqual([])
  })

  test('says what is refused, and how to get the rights', async () => {
    server.beforeEach(({ kind }) => (kind === 'ListObjects' ? failing(403, 'AccessDenied') : undefined))
    expect(await bucketLine()).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('AccessDenied'),
      todo: expect.stringContaining('fonds storage policy s3://archive/masters'),
    })
  })

  test('looks at the storage of ingest, too, and at the checksums that its server keeps', async () => {
    const env = { FONDS_S3_ENDPOINT: server.endpoint, FONDS_INGEST_STORAGE: 's3://archive/ocfl' }
    const lines = async () => (await fonds.run(['doctor'], { env })).rows
    const ofIngest = (rows: Awaited<ReturnType<typeof lines>>) =>
      rows.filter(({ check, says }) => check !== 'settings' && String(says).includes('s3://archive/ocfl'))
    expect(ofIngest(await lines())).toEqual([
      expect.objectContaining({
        check: 'bucket',
        status: 'ok',
        says: expect.stringContaining('no object there yet'),
      }),
    ])
    seedObject(server.bucket('archive'), 'ocfl/0=ocfl_1.1', 'ocfl_1.1', { checksums: {} })
    expect(ofIngest(await lines())).toContainEqual(
      expect.objectContaining({
        check: 'bucket checksums',
        todo: expect.stringContaining('FONDS_S3_CHECKSUMS'),
      }),
    )
  })

  test('looks at the prefixes where things are dropped, and says which one is refused', async () => {
    const env = {
      FONDS_S3_ENDPOINT: server.endpoint,
      FONDS_INGEST_DROPS: 'default=s3://archive/incoming,maps=s3://none/maps',
    }
    const { rows } = await fonds.run(['doctor'], { env })
    const found = rows.filter(({ says }) => String(says).startsWith('dropped submissions'))
    expect(found).toEqual([
      expect.objectContaining({
        status: 'ok',
        says: expect.stringContaining('s3://archive/incoming answers'),
      }),
      expect.objectContaining({ status: 'fail', says: expect.stringContaining('s3://none/maps') }),
    ])
  })
})
