import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ingestWorld, manifest } from './ingest-world.ts'

/* Servers that do not keep to HTTP, or to their word (ingest X9, X11, X12). Many seconds: each is tried five times. */

const body = 'x'.repeat(1000)
const head = (...lines: readonly string[]) => `HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`
const whole = head('200 OK', 'Content-Length: 1000', 'ETag: "1"')

interface Request {
  readonly method: string
  readonly range: string | undefined
  /** Of its address, from 1; HEAD is not counted. */
  readonly nth: number
}

type Rude = (socket: Socket, request: Request) => void

/** Half of it, and then the end of the connection. */
const half: Rude = (socket) => void socket.end(`${whole}${body.slice(0, 500)}`)

const drip: Rude = (socket) => {
  socket.write(whole)
  const timer = setInterval(() => socket.write('x'), 50)
  socket.on('close', () => clearInterval(timer))
}

const all: Rude = (socket) => void socket.end(`${whole}${body}`)

/** Sends half at first, and then nothing more; a request for the rest is answered so, one for all of it well. */
const thenForTheRest =
  (answer: Rude): Rude =>
  (socket, request) => {
    if (request.nth === 1) return void socket.write(`${whole}${body.slice(0, 500)}`)
    return (request.range === 'bytes=500-' ? answer : all)(socket, request)
  }

const rest =
  (range: string, etag: string, bytes: string): Rude =>
  (socket) =>
    void socket.end(
      `${head('206 Partial', 'Content-Length: 500', `Content-Range: bytes ${range}`, `ETag: ${etag}`)}${bytes}`,
    )

const redirect =
  (to: string): Rude =>
  (socket) =>
    void socket.end(head('302 Found', `Location: ${to}`, 'Content-Length: 0'))

const rude: Readonly<Record<string, readonly [answer: Rude, says: RegExp | 'well']>> = {
  'no-headers': [() => {}, /sent nothing, or next to nothing, for 1 s; tried 5 times/],
  'no-body': [
    (socket) => void socket.write(whole),
    /sent nothing, or next to nothing, for 1 s; tried 5 times/,
  ],
  drip: [drip, /sent nothing, or next to nothing, for 1 s; tried 5 times/],
  closes: [(socket) => void socket.destroy(), /broke off; tried 5 times/],
  garbage: [(socket) => void socket.end('hello\r\n\r\n'), /answered in what is not HTTP/],
  'endless-headers': [
    (socket) => void socket.end(head('200 OK', `X: ${'x'.repeat(100_000)}`)),
    /headers that are too large/,
  ],
  'too-short': [half, /broke off/],
  'too-long': [
    (socket) => void socket.end(`${head('200 OK', 'Content-Length: 1000')}${body}${body}`),
    'well',
  ],
  'server-error': [
    (socket) => void socket.end(head('503 Sorry', 'Content-Length: 0')),
    /answered 503 Service Unavailable; tried 5 times/,
  ],
  loop: [redirect('/loop'), /redirects more than 5 times/],
  nowhere: [
    (socket) => void socket.end(head('302 Found', 'Content-Length: 0')),
    /redirects without saying where to/,
  ],
  'to-a-file': [redirect('file:///etc/passwd'), /redirects to file: which is not http or https/],
  'with-a-password': [redirect('http://a:b@127.0.0.1/'), /redirects to an address with a password/],
  'no-content': [
    (socket) => void socket.end(head('204 No Content')),
    /answered 204 No Content, which brings no content; tried 5 times/,
  ],
  'a-part': [
    (socket) =>
      void socket.end(`${head('206 Partial', 'Content-Length: 4', 'Content-Range: bytes 0-3/1000')}xxxx`),
    /answered 206 with another part than was asked for; tried 5 times/,
  ],
  'whole-again': [thenForTheRest(all), 'well'],
  'the-rest': [thenForTheRest(rest('500-999/1000', '"1"', body.slice(500))), 'well'],
  'another-rest': [thenForTheRest(rest('0-499/1000', '"1"', 'y'.repeat(500))), 'well'],
  'another-state': [thenForTheRest(rest('500-999/1000', '"2"', 'y'.repeat(500))), 'well'],
  'another-length': [thenForTheRest(rest('500-999/2000', '"1"', 'y'.repeat(500))), 'well'],
}

const rudeServer = async (): Promise<string> => {
  const asked = new Map<string, number>()
  const server = createServer((socket) => {
    socket.on('error', () => {}).setEncoding('latin1')
    socket.once('data', (request: string) => {
      const [, method = '', path = ''] = /^(\S+) \/(\S*)/.exec(request) ?? []
      if (method === 'HEAD') return void socket.end(head('405 No', 'Content-Length: 0', 'Connection: close'))
      const nth = (asked.get(path) ?? 0) + 1
      asked.set(path, nth)
      rude[path]![0](socket, { method, range: /\r\nrange: (.*)\r\n/i.exec(request)?.[1], nth })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('X11: each fails its own job, with the address and what it did; what was cut off is gone on with, or begun anew', async () => {
  const world = await ingestWorld({ stallSeconds: 1 })
  const address = await rudeServer()
  const names = Object.keys(rude)
  const rows = names.map((name) => [`${address}/${name}`])
  const url = await world.file('batch.checkm', manifest('mrt-single-file-batch-manifest', rows))
  const batch = await world.submit({ payload: { url } })
  await world.ended(batch)
  const found: Record<string, unknown> = {}
  const wanted: Record<string, unknown> = {}
  for (const [i, { state, failedIn, permanent, message, ark }] of world.jobsOf(batch).entries()) {
    const name = names[i]!
    const [, says] = rude[name]!
    found[name] =
      state === 'completed'
        ? (await world.stored(ark, `producer/${name}`)) === body
        : { failedIn, permanent, message }
    wanted[name] = says === 'well' || {
      failedIn: 'downloading',
      permanent: 0,
      message: expect.stringMatching(new RegExp(`^${address}/${name} .*${says.source}`)),
    }
  }
  expect(found).toEqual(wanted)
})
