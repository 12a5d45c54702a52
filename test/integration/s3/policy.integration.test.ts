import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { versitygw } from '#infra/local/s3/programs.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { policyFor } from '#src/cli/storage/policy.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'

/* The printed policy, on a server that applies it: enough for what Fonds does, and for nothing else. */

const isAbsent = versitygw() === undefined

describe.skipIf(isAbsent)('the policy of `fonds storage policy`', () => {
  let server: Versitygw
  let root: S3Calls
  let user: S3Calls
  const keys = { accessKeyId: 'reader', secretAccessKey: 'reader-secret' }

  beforeAll(async () => {
    server = await startVersitygw()
    await server.addUser(keys)
    root = s3Calls(server.endpoint, server.keys)
    user = s3Calls(server.endpoint, keys)
    expect(await root.call('PUT', '/archive')).toMatchObject({ status: 200 })
    for (const path of ['/archive/kept/a', '/archive/other/a'])
      expect(await root.call('PUT', path, { body: 'x' })).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await Promise.all([root.close(), user.close()])
    await server.stop()
  })

  const allow = async (rights: { readonly write?: boolean }, without?: string) => {
    const { Version, Statement } = policyFor('archive', 'kept/', rights)
    const ofBucket = Statement.map((statement) => ({
      ...statement,
      Action: statement.Action.filter((action) => action !== without),
      Principal: { AWS: [keys.accessKeyId] },
    }))
    const body = JSON.stringify({ Version, Statement: ofBucket })
    const reply = await root.call('PUT', '/archive', { query: { policy: '' }, body })
    expect([reply.status, reply.body.toString()]).toEqual([expect.toSatisfy((status) => status < 300), ''])
  }
  const statusOf = async (method: string, path: string, call = {}) =>
    (await user.call(method, path, call)).status

  it('reads what is below the prefix, and tells what is missing', async () => {
    expect(await statusOf('GET', '/archive/kept/a')).toBe(403)
    await allow({})
    expect(await statusOf('GET', '/archive', { query: { 'list-type': '2', prefix: 'kept/' } })).toBe(200)
    expect(await statusOf('HEAD', '/archive')).toBe(200)
    expect(await statusOf('HEAD', '/archive/kept/a')).toBe(200)
    expect(await statusOf('GET', '/archive/kept/a')).toBe(200)
    expect(await statusOf('GET', '/archive/kept/missing')).toBe(404)
  })

  it('writes nothing, and reads nothing else', async () => {
    await allow({})
    expect(await statusOf('GET', '/archive/other/a')).toBe(403)
    expect(await statusOf('PUT', '/archive/kept/b', { body: 'x' })).toBe(403)
    expect(await statusOf('DELETE', '/archive/kept/a')).toBe(403)
    expect(await statusOf('POST', '/archive/kept/b', { query: { uploads: '' } })).toBe(403)
  })

  it.each<[string, (versionId: string) => readonly [method: string, path: string, call?: object]]>([
    ['s3:ListBucket', () => ['GET', '/archive', { query: { 'list-type': '2', prefix: 'kept/' } }]],
    ['s3:GetObject', () => ['GET', '/archive/kept/a']],
    ['s3:GetObjectVersion', (versionId) => ['GET', '/archive/kept/versioned', { query: { versionId } }]],
    ['s3:ListBucketVersions', () => ['GET', '/archive', { query: { versions: '', prefix: 'kept/' } }]],
    ['s3:ListBucketMultipartUploads', () => ['GET', '/archive', { query: { uploads: '' } }]],
    ['s3:PutObject', () => ['PUT', '/archive/kept/b', { body: 'x' }]],
    ['s3:DeleteObject', () => ['DELETE', '/archive/kept/missing']],
    [
      's3:DeleteObjectVersion',
      (versionId) => ['DELETE', '/archive/kept/versioned', { query: { versionId } }],
    ],
  ])('%s is one that it needs: without it the server refuses what Fonds does by it', async (right, asked) => {
    const versioning = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    expect(await root.call('PUT', '/archive', { query: { versioning: '' }, body: versioning })).toMatchObject(
      {
        status: 200,
      },
    )
    const { headers } = await root.call('PUT', '/archive/kept/versioned', { body: 'x' })
    const [method, path, call] = asked(String(headers['x-amz-version-id']))
    await allow({ write: true }, right)
    expect(await statusOf(method, path, call)).toBe(403)
    await allow({ write: true })
    expect(await statusOf(method, path, call)).toBeLessThan(300)
  })

  it('with the right to write stores, in parts too, and deletes: below the prefix alone', async () => {
    await allow({ write: true })
    expect(await statusOf('PUT', '/archive/kept/b', { body: 'x' })).toBe(200)
    const created = await user.call('POST', '/archive/kept/c', { query: { uploads: '' } })
    expect(created.status).toBe(200)
    const [, uploadId = ''] = /<UploadId>(.*?)<\/UploadId>/.exec(created.body.toString()) ?? []
    expect(
      await statusOf('PUT', '/archive/kept/c', { query: { partNumber: '1', uploadId }, body: 'x' }),
    ).toBe(200)
    expect(await statusOf('GET', '/archive', { query: { uploads: '' } })).toBe(200)
    expect(await statusOf('DELETE', '/archive/kept/c', { query: { uploadId } })).toBe(204)
    expect(await statusOf('DELETE', '/archive/kept/b')).toBe(204)
    expect(await statusOf('GET', '/archive', { query: { versions: '', prefix: 'kept/' } })).toBe(200)
    expect(await statusOf('PUT', '/archive/other/b', { body: 'x' })).toBe(403)
    expect(await statusOf('DELETE', '/archive/other/a')).toBe(403)
  })
})
