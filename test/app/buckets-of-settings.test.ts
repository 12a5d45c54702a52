import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '#src/app/config/config.ts'
import type { System } from '#src/app/system.ts'
import { openHashPool } from '#src/cli/fixity/open-hash-pool.ts'
import { openSystem } from '#src/open-system.ts'
import { listAll } from '../contracts/content-store.ts'
import { failing, type S3Server, seedObject, startS3 } from '../fakes/s3-server.ts'

describe('a bucket', () => {
  let server: S3Server
  let home: string
  let system: System

  beforeEach(async () => {
    server = await startS3({ buckets: ['archive'] })
    seedObject(server.bucket('archive'), 'masters/a', 'content')
    seedObject(server.bucket('archive'), 'elsewhere', 'not below the prefix')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
    vi.stubEnv('AWS_CA_BUNDLE', '')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'QZsecret')
    home = mkdtempSync(join(tmpdir(), 'fonds-buckets-'))
    const env = { FONDS_HOME: home, FONDS_S3_ENDPOINT: server.endpoint, FONDS_S3_ETAGS: 'opaque' }
    const config = readConfig({}, env)
    system = await openSystem(isLeft(config) ? expect.fail(config.left.join('; ')) : config.right)
  })
  afterEach(async () => {
    await system.close()
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true, force: true, maxRetries: 10 })
    await server.close()
  })

  it('is asked where the settings say, by this process', async () => {
    const content = system.adapters.fixity.openContent('s3://archive/masters')
    expect((await listAll(content)).paths).toEqual(['a'])
    const found = await content.stat('a')()
    // No MD5: the ETags of this server are none.
    expect(found).toMatchObject({ right: { claims: [{ algorithm: 'crc64nvme' }] } })
  })

  it('and by its threads', async () => {
    const pool = openHashPool(system)
    try {
      const outcome = await pool.hash({ root: 's3://archive/masters', path: 'a', algorithms: ['sha-256'] })
      const value = createHash('sha256').update('content').digest('hex')
      expect(outcome).toMatchObject({
        status: 'read',
        checksums: expect.arrayContaining([{ algorithm: 'sha-256', value }]),
      })
    } finally {
      await pool.close()
    }
  })

  it('and no key stands in the home, in settings, or in what goes wrong', async () => {
    const content = system.adapters.fixity.openContent('s3://archive/masters')
    server.beforeEach(() => failing(403, 'SignatureDoesNotMatch'))
    const failed = await content.stat('a')()
    expect(failed).toMatchObject({ _tag: 'Left' })
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    expect(files.length).toBeGreaterThan(0)
    // Settings of content hold counters, which are no JSON.
    const told = inspect([failed, system.config, system.adapters.fixity.contentSettings], { depth: null })
    for (const text of [...texts, told]) expect(text).not.toContain('QZsecret')
  })
})
