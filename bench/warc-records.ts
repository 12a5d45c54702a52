import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { random } from '../test/e2e/crash/expectations.ts'

/** Of a record that is not packed, as crawls have it at the mean. */
const meanBytes = 6800

const headOf = (number: number, blockLength: number): string =>
  [
    'WARC/1.0',
    'WARC-Type: response',
    `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-${String(number).padStart(12, '0')}>`,
    'WARC-Warcinfo-ID: <urn:uuid:fbd6cf0a-6160-4550-b343-12188dc05234>',
    'WARC-Date: 2026-01-31T12:00:00Z',
    `WARC-Target-URI: http://host-${number % 97}.example/path/${number}?b=2&a=1`,
    'WARC-IP-Address: 192.0.2.1',
    'WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${blockLength}`,
    '',
    '',
  ].join('\r\n')

const http =
  'HTTP/1.1 200 OK\r\nDate: Sat, 31 Jan 2026 12:00:00 GMT\r\nServer: none\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n'

const words = (chance: () => number): readonly string[] =>
  Array.from({ length: 4000 }, () =>
    chance()
      .toString(36)
      .slice(2, 4 + Math.floor(chance() * 9)),
  )

/** Responses of pages, not packed. The same each time. */
export const makeRecords = (count: number): readonly Buffer[] => {
  const chance = random(1)
  const all = words(chance)
  const word = () => all[Math.floor(chance() * chance() * all.length)]
  return Array.from({ length: count }, (_, i) => {
    const bytes = meanBytes * (0.2 + 1.6 * chance()) - 600
    let body = ''
    while (body.length < bytes) body += `<p class="${word()}">${word()} ${word()} ${word()} ${word()}</p>\n`
    const block = http + body
    return Buffer.from(`${headOf(i, block.length)}${block}\r\n\r\n`)
  })
}

/** Responses of a few words, as redirects and errors are. */
export const makeSmallRecords = (count: number): readonly Buffer[] =>
  Array.from({ length: count }, (_, i) => {
    const block = `${http}<html><title>301 Moved</title>${'<p>Moved</p>\n'.repeat(20 + (i % 29))}</html>\n`
    return Buffer.from(`${headOf(i, block.length)}${block}\r\n\r\n`)
  })

/** Responses of bytes that do not compress, as films and pictures are. */
export const makeDenseRecords = function* (count: number, bytes: number): Generator<Buffer> {
  const end = Buffer.from('\r\n\r\n')
  for (let i = 0; i < count; i++)
    yield Buffer.concat([Buffer.from(headOf(i, http.length + bytes) + http), randomBytes(bytes), end])
}

/** One response without a digest, so large, in a gzip member. */
export const makeLargeRecord = (path: string, gib: number): Promise<void> => {
  const chunk = Buffer.from('a page that goes on. '.repeat(50_000))
  const chunks = Math.ceil((gib * 2 ** 30) / chunk.length)
  const head = headOf(0, http.length + chunks * chunk.length).replace(/WARC-Payload-Digest.*\r\n/, '')
  const bytes = function* () {
    yield Buffer.from(head + http)
    for (let i = 0; i < chunks; i++) yield chunk
    yield Buffer.from('\r\n\r\n')
  }
  return pipeline(Readable.from(bytes()), createGzip({ level: 1 }), createWriteStream(path))
}
