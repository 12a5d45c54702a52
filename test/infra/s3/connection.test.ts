import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openBucket } from '../../../infra/s3/bucket.ts'
import { createConnections } from '../../../infra/s3/connection.ts'
import { credentialChain } from '../../../infra/s3/credentials.ts'
import type { S3Settings } from '../../../infra/s3/settings.ts'
import { startS3 } from '../../fakes/s3-server.ts'
import { serverTls, tlsFiles } from '../../fixtures/tls/files.ts'
import { openStub, someCredentials } from './opening.ts'

/** A proxy that notes what it is asked for, and answers in the place of any server. */
const startProxy = async () => {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { asked, proxy, address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

const credentials = credentialChain(undefined, async () => async () => someCredentials())

describe('connections', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  it('go through the proxy of the settings', async () => {
    const { asked, proxy, address } = await startProxy()
    const endpoint = 'http://storage.invalid:9000'
    const bucket = openBucket('bucket', { endpoint, region: 'us-east-1', proxy: address }, { credentials })
    closing.push(bucket.close, () => proxy.close())
    await expect(bucket.get('a/../key')).rejects.toMatchObject({ code: 'NoSuchKey' })
    expect(asked).toEqual([`GET ${endpoint}/bucket/a/../key`])
  })

  it('or of the environment, except to this machine, and to hosts that it excludes', async () => {
    const { asked, proxy, address } = await startProxy()
    const server = await startS3()
    closing.push(server.close, () => proxy.close())
    const ask = async (origin: string, env: NodeJS.ProcessEnv) => {
      const connections = createConnections({}, env)
      const asking = connections.request({ origin, path: '/bucket', method: 'HEAD' })
      await asking.then(({ body }) => body.dump()).catch(() => {})
      await connections.close()
    }
    const other = 'http://storage.invalid'
    await ask(other, { HTTP_PROXY: address })
    await ask(other, { HTTP_PROXY: address, NO_PROXY: 'storage.invalid' })
    await ask(server.endpoint, { HTTP_PROXY: address })
    expect(asked).toEqual([`HEAD ${other}/bucket`])
    expect(server.count('HeadBucket')).toBe(1)
  })

  it('trust the authority of the settings beside those of Node, and no other', async () => {
    const server = createTlsServer(serverTls, (_, response) =>
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>'),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `https://localhost:${(server.address() as AddressInfo).port}`
    const codeOf = async (settings: S3Settings) => {
      const bucket = openBucket('bucket', { endpoint, region: 'us-east-1', ...settings }, { credentials })
      closing.push(bucket.close)
      return bucket.get('key').catch((error: unknown) => error)
    }
    closing.push(() => server.close())
    expect(await codeOf({ ca: readFileSync(tlsFiles.authority, 'utf8') })).toMatchObject({
      code: 'NoSuchKey',
    })
    expect(await codeOf({})).toMatchObject({
      status: 0,
      isTransient: false,
      message: expect.stringMatching(/certificate.*FONDS_S3_CA/),
    })
  })

  it('are not more at a time than the settings allow', async () => {
    const stub = await openStub({ connections: 2 })
    closing.push(stub.close)
    let now = 0
    let most = 0
    stub.server.beforeEach(async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return undefined
    })
    await Promise.all(Array.from({ length: 20 }, () => stub.bucket.check()))
    expect(most).toBeLessThanOrEqual(2)
  })
})
