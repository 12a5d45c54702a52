import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { versitygw } from '#infra/local/s3/programs.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { ask, type Line, run, useFolder } from '../../e2e/run-fonds.ts'
import { startFaultProxy } from '../../fakes/fault-proxy.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'
import { failing, slowDown } from '../../fakes/s3-server.ts'

/* Fixity of what lies in a bucket of a real server, by the command line as people run it. */

describe.skipIf(versitygw() === undefined)('fixity of a bucket', () => {
  let server: Versitygw
  let calls: S3Calls
  let bucket: string
  let buckets = 0

  beforeAll(async () => {
    server = await startVersitygw()
    calls = s3Calls(server.endpoint, server.keys)
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })
  beforeEach(async () => {
    bucket = `archive-${++buckets}`
    expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
  })

  const put = (key: string, body: Uint8Array | string) => calls.call('PUT', `/${bucket}/${key}`, { body })
  const given = (home: string, endpoint = server.endpoint) => ({
    home,
    env: {
      FONDS_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    },
  })
  const itemsAt = async (home: string): Promise<readonly Line[]> => {
    const rows = await ask(['query', 'fixity-items'], given(home))
    return rows.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  it('is recorded and checked, also what a manifest says, and damage on its disk is found', async () => {
    const { home } = useFolder()
    const large = randomBytes(3_000_000)
    await put('masters/film.mov', large)
    await put('masters/film.mov.md5', createHash('md5').update(large).digest('hex'))
    await put('masters/notes/a + b.txt', 'notes')
    await put('elsewhere', 'not below the prefix')
    const root = `s3://${bucket}/masters`
    const added = await run(['fixity', 'add', root, '--store', 'masters'], given(home))
    expect([added.code, added.stderr]).toEqual([0, expect.any(String)])
    expect((await itemsAt(home)).map(({ path }) => path)).toEqual([
      'film.mov',
      'film.mov.md5',
      'notes/a + b.txt',
    ])

    const checked = await run(['fixity', 'check', 'masters'], given(home))
    expect([checked.code, checked.stderr]).toEqual([0, expect.any(String)])

    // The server goes on reporting the old checksum and the old ETag.
    const onDisk = join(server.data, bucket, 'masters/film.mov')
    const damaged = readFileSync(onDisk)
    damaged[1_000_000]! ^= 1
    writeFileSync(onDisk, damaged)
    const found = await run(['fixity', 'check', 'masters'], given(home))
    expect([found.code, found.stderr]).toEqual([1, expect.any(String)])
    const [film, , notes] = await itemsAt(home)
    expect(film).toMatchObject({ path: 'film.mov', outcome: 'failure' })
    expect(notes).toMatchObject({ outcome: 'success' })
  })

  it('names what is missing, and nothing that is only unavailable', async () => {
    const { home } = useFolder()
    const proxy = await startFaultProxy(server.endpoint)
    onTestFinished(() => proxy.close())
    for (const name of ['a', 'b', 'c']) await put(`masters/${name}`, name)
    const root = `s3://${bucket}/masters`
    await ask(['fixity', 'add', root, '--store', 'masters'], given(home, proxy.endpoint))

    for (const fault of [slowDown, { kind: 'refuse' }, failing(403, 'AccessDenied')] as const) {
      proxy.beforeEach(() => fault)
      const { code, stderr } = await run(['fixity', 'check', 'masters'], given(home, proxy.endpoint))
      expect([code, stderr]).toEqual([3, expect.any(String)])
      for (const item of await itemsAt(home)) expect(item.outcome).not.toBe('failure')
    }

    proxy.beforeEach(undefined)
    await calls.call('DELETE', `/${bucket}/masters/b`)
    const { code } = await run(['fixity', 'check', 'masters'], given(home, proxy.endpoint))
    expect(code).toBe(1)
    const items = await itemsAt(home)
    expect(items.filter(({ outcome }) => outcome === 'failure').map(({ path }) => path)).toEqual(['b'])
  })

  it('is read over resets and busy answers, each object once in the record', async () => {
    const { home } = useFolder()
    const proxy = await startFaultProxy(server.endpoint)
    onTestFinished(() => proxy.close())
    const content = randomBytes(400_000)
    for (const name of ['a', 'b', 'c', 'd']) await put(`masters/${name}`, content)
    let requests = 0
    proxy.beforeEach(({ kind }) => {
      const nth = ++requests % 3
      if (nth === 0) return slowDown
      return nth === 1 && kind === 'GetObject' ? { kind: 'cut', afterBytes: 100_000 } : undefined
    })
    const root = `s3://${bucket}/masters`
    await ask(['fixity', 'add', root, '--store', 'masters'], given(home, proxy.endpoint))
    await ask(['fixity', 'check', 'masters'], given(home, proxy.endpoint))
    const items = await itemsAt(home)
    expect(items.map(({ path, outcome }) => [path, outcome])).toEqual(
      ['a', 'b', 'c', 'd'].map((path) => [path, 'success']),
    )
  })

  it('doctor finds it readable, and says what is refused', async () => {
    const { home } = useFolder()
    await put('masters/a', 'content')
    await ask(['fixity', 'add', `s3://${bucket}/masters`, '--store', 'masters'], given(home))
    const lines = (ran: { stdout: string }) =>
      ran.stdout
        .split('\n')
        .filter(Boolean)
        .map((line): Line => JSON.parse(line))
    const well = lines(await run(['doctor'], given(home)))
    expect(well.find(({ check }) => check === 'bucket')).toMatchObject({ status: 'ok' })
    const wrong = { ...given(home).env, AWS_SECRET_ACCESS_KEY: 'another-secret' }
    const refused = await run(['doctor'], { home, env: wrong })
    expect(lines(refused).find(({ check }) => check === 'bucket')).toMatchObject({ status: 'fail' })
    expect(refused.stdout + refused.stderr).not.toContain('another-secret')
  })
})
