import { gzipSync } from 'node:zlib'

/** A WARC record, as harvesters write it. */
export const record = (
  url: string,
  body: string,
  more: { readonly type?: string; readonly date?: string } = {},
) => {
  const { type = 'response', date = '2026-01-31T12:00:00Z' } = more
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`
  const head = [
    'WARC/1.0',
    `WARC-Type: ${type}`,
    `WARC-Target-URI: ${url}`,
    `WARC-Date: ${date}`,
    'WARC-Record-ID: <urn:uuid:5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21>',
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${Buffer.byteLength(block)}`,
  ].join('\r\n')
  return Buffer.from(`${head}\r\n\r\n${block}\r\n\r\n`)
}

/** A WARC file of a page each, compressed a record at a time. */
export const warc = (...urls: readonly string[]): Buffer =>
  Buffer.concat(urls.map((url) => gzipSync(record(url, `the page of ${url}`))))
