import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import openContent from '../../../infra/content/open-content.ts'
import { namesIn, put, readAll } from '../../contracts/content-store.ts'
import { startS3 } from '../../fakes/s3-server.ts'

describe('content is opened', () => {
  it('in a folder', async () => {
    const root = await mkdtemp(join(tmpdir(), 'fonds-content-'))
    const store = openContent(root)
    await put(store, 'a/file', 'x')
    expect(await namesIn(store)).toEqual({ paths: ['a/file'], skipped: [] })
    await rm(root, { recursive: true })
  })

  it('in a bucket, below a prefix', async () => {
    const server = await startS3()
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = process.env
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' })
    try {
      const s3 = { endpoint: server.endpoint, region: 'us-east-1' }
      const store = openContent('s3://bucket/some/prefix/', { s3 })
      await put(store, 'a/file', 'x')
      expect(await namesIn(store)).toEqual({ paths: ['a/file'], skipped: [] })
      expect(String(await readAll(openContent('s3://bucket', { s3 }), 'some/prefix/a/file'))).toBe('x')
    } finally {
      for (const [name, value] of Object.entries({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret }))
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      await server.close()
    }
  })

  it('behind an address of HTTP', async () => {
    const server = createServer((_, response) => response.end('x')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(String(await readAll(openContent(`http://127.0.0.1:${port}/folder`), 'file'))).toBe('x')
    server.close()
  })

  it.each([
    's3://',
    's3:bucket',
    'S3://bucket/x',
    's3://a',
    's3:///x',
    's3://bucket//x',
    's3://bucket/a/../b',
    's3://buc..ket',
    's3://buc_&/x',
  ])('not at %s, and the message has the right form', (address) => {
    expect(() => openContent(address)).toThrow(/^content store [sS]3:.*; give s3:\/\/bucket\/prefix$/)
  })
})
