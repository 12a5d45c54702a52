import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startMoto } from '#infra/local/s3/moto.ts'
import { motoServer } from '#infra/local/s3/programs.ts'
import type { LocalS3 } from '#infra/local/s3/server.ts'
import { ask, run, useFolder } from '../../e2e/run-fonds.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'

/* Archived objects of a server that has them, by the command line as people run it. */

describe.skipIf(motoServer() === undefined)('archived objects of a bucket', () => {
  let server: LocalS3
  let calls: S3Calls
  let bucket: string
  let buckets = 0

  beforeAll(async () => {
    server = await startMoto()
    calls = s3Calls(server.endpoint, server.keys)
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })
  beforeEach(async () => {
    bucket = `archive-${++buckets}`
    expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
    await put('masters/warm', 'warm')
    await put('masters/cold/a', 'aaaa', 'GLACIER')
    await put('masters/cold/a.md5', createHash('md5').update('aaaa').digest('hex'))
    await put('masters/cold/b', 'bbbbbb', 'DEEP_ARCHIVE')
  })

  const put = async (key: string, body: string, storageClass = 'STANDARD') => {
    const headers = { 'x-amz-storage-class': storageClass }
    expect(await calls.call('PUT', `/${bucket}/${key}`, { body, headers })).toMatchObject({ status: 200 })
  }
  const given = (home: string) => ({
    home,
    env: {
      FONDS_S3_ENDPOINT: server.endpoint,
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    },
  })

  it('are not read, are restored by command, and are read by the next check', async () => {
    const { home } = useFolder()
    const here = given(home)
    const added = await run(['fixity', 'add', `s3://${bucket}/masters`, '--store', 'masters'], here)
    expect(added.stderr).not.toContain('Error:')
    await run(['fixity', 'check', 'masters'], here)
    const before = await ask(['query', 'fixity-items'], here)
    expect(before.filter(({ because }) => because.includes('archived'))).toHaveLength(2)
    const stateOf = (path: string) => before.find((item) => item.path === path)?.state
    expect([stateOf('cold/a'), stateOf('cold/b')]).toEqual(['unread', 'unverified'])

    const [estimate] = await ask(['fixity', 'restore', 'masters', '--estimate'], here)
    expect(estimate).toMatchObject({ objects: 2, bytes: 10, underWay: 0, restored: 0 })
    const incomplete = await run(['fixity', 'restore', 'masters', '--days', '2'], here)
    expect([incomplete.code, incomplete.stdout]).toEqual([2, ''])

    const how = ['--days', '2', '--tier', 'Bulk', '--reason', 'a check of all', '--actor', 'ada']
    const [one] = await ask(['fixity', 'restore', 'masters', '--item', 'cold/a', ...how], here)
    expect(one).toMatchObject({ objects: 1, bytes: 4, accepted: 1, refused: 0 })
    const [rest] = await ask(['fixity', 'restore', 'masters', ...how], here)
    expect(rest).toMatchObject({ objects: 1, bytes: 6, restored: 1, accepted: 1 })
    const events = await ask(['events', '--stream', 'fixityStore-masters'], here)
    expect(events.filter(({ type }) => type === 'RestoreRequested')).toMatchObject([
      {
        data: { path: 'cold/a', days: 2, tier: 'Bulk', reason: 'a check of all' },
        metadata: { actor: 'ada' },
      },
      { data: { prefix: '', objects: 1, bytes: 6 } },
    ])

    await run(['fixity', 'check', 'masters'], here)
    const after = new Map((await ask(['query', 'fixity-items'], here)).map((item) => [item.path, item]))
    expect(after.get('cold/a')).toMatchObject({ outcome: 'success', row: 'F1' })
    // Nobody had recorded a digest of it.
    expect(after.get('cold/b')).toMatchObject({ state: 'unverified', lastVerified: null })
    await ask(['fixity', 'check', 'masters'], here)
    const [second] = await ask(['query', 'fixity-items', '--where', 'path=cold/b'], here)
    expect(second).toMatchObject({ state: 'baselined' })
  })

  it('are asked for in a store that there is, and only where there are any', async () => {
    const { home } = useFolder()
    const here = given(home)
    await run(['fixity', 'add', `s3://${bucket}/masters`, '--store', 'masters'], here)
    const how = ['--days', '2', '--tier', 'Bulk', '--reason', 'a check']
    const [none] = await ask(['fixity', 'restore', 'masters', '--item', 'warm', ...how], here)
    expect(none).toMatchObject({ objects: 0, accepted: 0 })
    const unknown = await run(['fixity', 'restore', 'other', ...how], here)
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('there is no store other')])
  })
})
