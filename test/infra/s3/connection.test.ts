import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createConnections } from '../../../infra/s3/connection.ts'
import { startS3 } from '../../fakes/s3-server.ts'
import { openStub } from './opening.ts'

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
