import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { ask, startServer, stop, until, useFolder } from './run-fonds.ts'

/* What clients do does not keep a server from ending: after its grace it is gone, with all that it acknowledged. */

const minutes = 60_000
const topic = '/api/v1/topics/fonds.fixity.content/messages'
const recorded = (path: string) =>
  JSON.stringify({
    type: 'content.recorded',
    data: { store: 'main', path, checksums: [{ algorithm: 'md5', value: 'a'.repeat(32) }] },
  })

const post = (length: number) =>
  `POST ${topic} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** A connection that never closes by itself, and does not read unless it is told to. */
const opened = async (port: number, text = ''): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** What has been read of it, as it comes. */
const reading = (socket: Socket) => {
  let text = ''
  socket
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      text += chunk
    })
    .resume()
  return () => text
}

/** A byte of a body now and then, for ever. */
const drip = async (socket: Socket): Promise<void> => {
  while (!socket.destroyed) {
    socket.write(' ')
    await sleep(50)
  }
}

it('a server ends when its grace is over, whatever its clients do; a body that comes within it is taken', {
  timeout: 5 * minutes,
}, async () => {
  const { home } = useFolder()
  const server = await startServer({ home }, ['--grace', '15', '--gateway', '0'])
  const port = Number(new URL(server.address).port)
  const [, gateway] = await server.says(/protocol on port (\d+)/)

  const first = await fetch(server.address + topic, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: recorded('before'),
  })
  expect(first.status).toBe(202)

  void drip(await opened(port, post(1_000_000)))
  await opened(port, get('/api/v1/openapi.json').repeat(30))
  await opened(port, get('/api/v1/changes?after=-1'))
  await opened(port, 'GET /healthz HTTP/1.1\r\nHost: local')
  await opened(port)
  await opened(Number(gateway))
  await opened(Number(gateway), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const idle = await opened(port, get('/healthz'))
  const told = reading(idle)
  const followed = reading(await opened(port, get('/api/v1/changes?after=-1')))
  const late = recorded('within the grace')
  const sending = await opened(port, post(late.length) + late.slice(0, 50))
  const answer = reading(sending)
  await until('those who read are answered', () => told().includes('200 OK') && followed().includes('retry:'))

  server.child.kill('SIGTERM')
  await server.says('stopping')
  sending.write(late.slice(50))
  await until('it is taken', () => answer().includes('202 Accepted'), 120)
  expect(await server.exit, server.stderr()).toBe(0)
  expect(server.stderr()).not.toContain('"level":50')

  const again = await startServer({ home })
  const kept = await until('both are in their stream', async () => {
    const events = await ask(['events', '--type', 'ContentRecorded'], { home })
    return events.length === 2 && events.map(({ stream }) => stream).sort()
  })
  expect(kept).toEqual(['fixity-main/before', 'fixity-main/within the grace'])
  expect(await stop(again)).toBe(0)
})
