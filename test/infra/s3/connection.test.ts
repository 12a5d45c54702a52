import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openBucket } from '../../../infra/s3/bucket.ts'
import { createConnections } from '../../../infra/s3/connection.ts'
import { credentialChain } from '../../../infra/s3/credentials.ts'
import type { S3Settings } from '../../../infra/s3/settings.ts'
import { startS3 } from '../../fakes/s3-server.ts'
import { serverTls, tlsFiles } from '../../fixtures/tls/files.ts'
import { openStub, someCredentials } from './opening.ts'

/** A proxy that notes what it is asked for, and carries it on. */
const startProxy = async () => {
  const asked: string[] = []
  const proxy: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { host, pathname, search } = new URL(request.url ?? '')
    const [hostname = '', port] = host.split(':')
    const upstream: Socket = connect(Number(port), hostname, () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
      upstream.write(
        `${request.method} ${pathname}${search} HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`,
      )
    })
    upstream.pipe(response.socket as Socket)
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
    const stub = await openStub({ proxy: address })
    closing.push(stub.close, () => proxy.close())
    await stub.bucket.check()
    expect(asked).toEqual([`HEAD ${stub.server.endpoint}/bucket`])
  })

  it('or of the environment, except where that excludes the host', async () => {
    const { asked, proxy, address } = await startProxy()
    const server = await startS3()
    closing.push(server.close, () => proxy.close())
    const check = async (env: NodeJS.ProcessEnv) => {
      const connections = createConnections({}, env)
      const { body } = await connections.request({ origin: server.endpoint, path: '/bucket', method: 'HEAD' })
      await body.dump()
      await connections.close()
    }
    await check({ HTTP_PROXY: address })
    await check({ HTTP_PROXY: address, NO_PROXY: '127.0.0.1' })
    await check({})
    expect(asked).toEqual([`HEAD ${server.endpoint}/bucket`])
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
