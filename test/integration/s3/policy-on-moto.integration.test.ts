import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMoto } from '#infra/local/s3/moto.ts'
import { motoServer } from '#infra/local/s3/programs.ts'
import type { LocalS3 } from '#infra/local/s3/server.ts'
import { policyFor } from '#src/cli/storage/policy.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'

/* The printed policy as that of a user of IAM, on a server that has archived objects: versitygw has none. */

describe.skipIf(motoServer() === undefined)('the policy of `fonds storage policy`, of a user', () => {
  let server: LocalS3
  let root: S3Calls
  let user: S3Calls

  /** Requests of IAM: the server finds the service by the scope of the credentials. */
  const iam = async (action: string, parameters: Readonly<Record<string, string>>): Promise<string> => {
    const scope = 'any/20260131/us-east-1/iam/aws4_request'
    const answer = await fetch(server.endpoint, {
      method: 'POST',
      body: new URLSearchParams({ Action: action, Version: '2010-05-08', UserName: 'fonds', ...parameters }),
      headers: { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=any` },
    })
    const text = await answer.text()
    expect([action, answer.status, answer.ok ? '' : text]).toEqual([action, 200, ''])
    return text
  }
  /** From now on it lets so many requests pass, whoever makes them; then only those that a policy allows. */
  const letPass = (requests: number) =>
    fetch(`${server.endpoint}/moto-api/reset-auth`, { method: 'POST', body: String(requests) })
  const many = 1_000_000

  beforeAll(async () => {
    server = await startMoto({ env: { INITIAL_NO_AUTH_ACTION_COUNT: String(many) } })
    root = s3Calls(server.endpoint, server.keys)
    await iam('CreateUser', {})
    const created = await iam('CreateAccessKey', {})
    const textOf = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(created)?.[1] ?? ''
    user = s3Calls(server.endpoint, {
      accessKeyId: textOf('AccessKeyId'),
      secretAccessKey: textOf('SecretAccessKey'),
    })
    expect(await root.call('PUT', '/archive')).toMatchObject({ status: 200 })
    const cold = { 'x-amz-storage-class': 'GLACIER' }
    for (const path of ['/archive/kept/cold', '/archive/other/cold'])
      expect(await root.call('PUT', path, { body: 'x', headers: cold })).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await Promise.all([root.close(), user.close()])
    await server.stop()
  })

  const allow = async (rights: Parameters<typeof policyFor>[2], without?: string) => {
    await letPass(many)
    const { Version, Statement } = policyFor('archive', 'kept/', rights)
    const statements = Statement.map((one) => ({
      ...one,
      Action: one.Action.filter((action) => action !== without),
    }))
    const document = JSON.stringify({ Version, Statement: statements })
    await iam('PutUserPolicy', { PolicyName: 'fonds', PolicyDocument: document })
    await letPass(0)
  }
  const statusOf = async (method: string, path: string, call = {}) =>
    (await user.call(method, path, call)).status

  const restore = (path: string) =>
    statusOf('POST', path, {
      query: { restore: '' },
      body: '<RestoreRequest><Days>2</Days><GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters></RestoreRequest>',
    })

  it('restores archived objects with the right to, below the prefix alone; reading and writing give none', async () => {
    await allow({})
    expect(await statusOf('HEAD', '/archive/kept/cold')).toBe(200)
    expect(await restore('/archive/kept/cold')).toBe(403)
    await allow({ write: true })
    expect(await restore('/archive/kept/cold')).toBe(403)
    await allow({ restore: true })
    expect(await restore('/archive/other/cold')).toBe(403)
    expect(await restore('/archive/kept/cold')).toBe(202)
    expect(await statusOf('PUT', '/archive/kept/b', { body: 'x' })).toBe(403)
  })

  it('s3:AbortMultipartUpload is one that writing needs: without it an upload stays', async () => {
    await allow({ write: true })
    const created = await user.call('POST', '/archive/kept/c', { query: { uploads: '' } })
    expect(created.status).toBe(200)
    const [, uploadId = ''] = /<UploadId>(.*?)<\/UploadId>/.exec(created.body.toString()) ?? []
    const abort = () => statusOf('DELETE', '/archive/kept/c', { query: { uploadId } })
    await allow({ write: true }, 's3:AbortMultipartUpload')
    expect(await abort()).toBe(403)
    await allow({ write: true })
    expect(await abort()).toBe(204)
  })

  it('reads what is below the prefix, and nothing else', async () => {
    await letPass(many)
    for (const path of ['/archive/kept/a', '/archive/other/a'])
      expect(await root.call('PUT', path, { body: 'x' })).toMatchObject({ status: 200 })
    await allow({})
    expect(await statusOf('GET', '/archive/kept/a')).toBe(200)
    expect(await statusOf('GET', '/archive', { query: { 'list-type': '2', prefix: 'kept/' } })).toBe(200)
    expect(await statusOf('GET', '/archive/other/a')).toBe(403)
    expect(await statusOf('DELETE', '/archive/kept/a')).toBe(403)
  })
})
