import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMoto } from '#infra/local/s3/moto.ts'
import { motoServer, versitygw } from '#infra/local/s3/programs.ts'
import type { LocalS3, S3Keys } from '#infra/local/s3/server.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { policyFor } from '#src/cli/storage/policy.ts'
import { ask, linesOf, run, useFolder } from '../../e2e/run-fonds.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'

/* `fonds storage probe` on real servers, by the command line as people run it. */

const probe = async (endpoint: string, bucket: string, keys: S3Keys, env = {}) => {
  const here = {
    home: useFolder().home,
    env: {
      FONDS_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      ...env,
    },
  }
  const address = `s3://${bucket}/storage`
  const ran = await run(['storage', 'probe', address, '--actor', 'ada', '--reason', 'a new server'], here)
  const [summary] = linesOf(ran)
  const outcomes = Object.fromEntries(
    summary.results.map(({ step, works }: { step: string; works: string }) => [step, works]),
  )
  const events = await ask(['events', '--category', 'bucketProbe'], here)
  expect(events).toMatchObject([
    { type: 'ProbeRequested', data: { address, reason: 'a new server' }, metadata: { actor: 'ada' } },
    { type: 'ProbeEnded', data: { leftovers: summary.leftovers } },
  ])
  expect(ran.stdout + ran.stderr + JSON.stringify(events)).not.toContain(keys.secretAccessKey)
  return { ...ran, summary, outcomes }
}

const all = {
  write: 'yes',
  list: 'yes',
  read: 'yes',
  'if-none-match': 'yes',
  'if-match': 'yes',
  multipart: 'yes',
  'list-uploads': 'yes',
  delete: 'yes',
  'delete-versions': 'not-tried',
}

describe.skipIf(versitygw() === undefined)('a probe of a bucket of versitygw', () => {
  let server: Versitygw
  let calls: S3Calls
  const user: S3Keys = { accessKeyId: 'writer', secretAccessKey: 'writer-secret' }

  beforeAll(async () => {
    server = await startVersitygw()
    await server.addUser(user)
    calls = s3Calls(server.endpoint, server.keys)
    expect(await calls.call('PUT', '/archive')).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })

  const allow = async (rights: { readonly write: boolean }) => {
    const { Version, Statement } = policyFor('archive', 'storage/', rights)
    const named = Statement.map((statement) => ({ ...statement, Principal: { AWS: [user.accessKeyId] } }))
    const body = JSON.stringify({ Version, Statement: named })
    const { status } = await calls.call('PUT', '/archive', { query: { policy: '' }, body })
    expect(status).toBeLessThan(300)
  }
  const keysLeft = async () => {
    const { body } = await calls.call('GET', '/archive', { query: { 'list-type': '2' } })
    return [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)
  }

  it('writes, takes all away, and says that ingest can store there', async () => {
    const { code, outcomes, summary } = await probe(server.endpoint, 'archive', server.keys)
    expect([code, outcomes, summary.canStore]).toEqual([0, all, true])
    expect(await keysLeft()).toEqual([])
  })

  it('finds the rights of `fonds storage policy --write` enough, and those without it not', async () => {
    await allow({ write: false })
    const refused = await probe(server.endpoint, 'archive', user)
    expect([refused.code, refused.summary.canStore, refused.outcomes.write]).toEqual([1, false, 'no'])
    expect(refused.stderr).toContain('storage policy s3://archive/storage --write')
    await allow({ write: true })
    const allowed = await probe(server.endpoint, 'archive', user)
    expect([allowed.code, allowed.outcomes]).toEqual([0, all])
    expect(await keysLeft()).toEqual([])
  })
})

describe.skipIf(motoServer() === undefined)('a probe of a bucket of moto', () => {
  let server: LocalS3
  let calls: S3Calls

  beforeAll(async () => {
    server = await startMoto()
    calls = s3Calls(server.endpoint, server.keys)
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })

  const versionsIn = async (bucket: string) => {
    const { body } = await calls.call('GET', `/${bucket}`, { query: { versions: '' } })
    return [...body.toString().matchAll(/<VersionId>(.*?)<\/VersionId>/g)].map(([, id]) => id)
  }

  it('takes its versions away, where the bucket keeps them', async () => {
    await calls.call('PUT', '/versioned')
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    await calls.call('PUT', '/versioned', { query: { versioning: '' }, body })
    const { outcomes, summary } = await probe(server.endpoint, 'versioned', server.keys)
    expect(outcomes).toMatchObject({ write: 'yes', delete: 'yes', 'delete-versions': 'yes' })
    expect(summary.leftovers).toEqual([])
    expect(await versionsIn('versioned')).toEqual([])
  })

  it('names what Object Lock keeps', async () => {
    await calls.call('PUT', '/locked', { headers: { 'x-amz-bucket-object-lock-enabled': 'true' } })
    const rule = '<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Days>1</Days></DefaultRetention></Rule>'
    const body = `<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>${rule}</ObjectLockConfiguration>`
    await calls.call('PUT', '/locked', { query: { 'object-lock': '' }, body })
    // It takes the checksum of AWS's SDKs, or this one.
    const md5 = { FONDS_S3_CHECKSUMS: 'md5' }
    const { code, outcomes, summary, stderr } = await probe(server.endpoint, 'locked', server.keys, md5)
    expect([code, outcomes['delete-versions']]).toEqual([1, 'no'])
    const left = summary.leftovers.map(({ versionId }: { versionId: string }) => versionId)
    expect(left).toEqual(await versionsIn('locked'))
    expect(left.length).toBeGreaterThan(0)
    for (const id of left) expect(stderr).toContain(id)
  })
})
