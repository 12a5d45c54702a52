import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { base32 } from '../src/records/base32.ts'

/* WARC and ARC files for tests: one piece of bytes a record, to be joined, packed, cut and damaged. */

type Bytes = Buffer | string

const bytesOf = (content: Bytes): Buffer => (typeof content === 'string' ? Buffer.from(content) : content)

export interface WarcRecord {
  readonly version?: string
  readonly type?: string
  readonly url?: string
  readonly date?: string
  readonly contentType?: string
  /** Fields behind the others; one of a name that they have takes its place, one that is undefined takes it away. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  readonly block?: Bytes
  /** Of the head, and behind the block. Default: CR LF. */
  readonly lineEnd?: string
}

let ids = 0

/** A record, not packed, with the empty lines behind it. */
export const warcRecord = (record: WarcRecord = {}): Buffer => {
  const { version = 'WARC/1.0', type = 'response', url = 'http://example.com/', lineEnd = '\r\n' } = record
  const { date = '2026-01-31T12:00:00Z', contentType = 'application/http; msgtype=response' } = record
  const block = bytesOf(record.block ?? httpResponse())
  const fields = {
    'WARC-Type': type,
    'WARC-Target-URI': url,
    'WARC-Date': date,
    'WARC-Record-ID': `<urn:uuid:00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}>`,
    'Content-Type': contentType,
    'Content-Length': String(block.length),
    ...record.fields,
  }
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  const head = [version, ...lines, '', ''].join(lineEnd)
  return Buffer.concat([Buffer.from(head, 'latin1'), block, Buffer.from(lineEnd + lineEnd)])
}

export const warcinfo = (): Buffer =>
  warcRecord({
    type: 'warcinfo',
    contentType: 'application/warc-fields',
    fields: { 'WARC-Target-URI': undefined },
    block: 'software: none\r\n',
  })

interface HttpResponse {
  readonly status?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly body?: Bytes
}

export const httpResponse = ({
  status = 'HTTP/1.1 200 OK',
  fields = { 'Content-Type': 'text/html; charset=utf-8' },
  body = '<p>page</p>',
}: HttpResponse = {}): Buffer => {
  const head = [status, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )
  return Buffer.concat([Buffer.from(head, 'latin1'), bytesOf(body)])
}

/** A body in the chunked transfer coding. */
export const chunked = (...chunks: readonly string[]): string =>
  [...chunks, ''].map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')

/** As a capture has it: base 32, without a prefix. */
export const sha1Of = (payload: Bytes): string => base32(createHash('sha1').update(payload).digest())

interface ArcRecord {
  readonly url?: string
  readonly date?: string
  readonly mime?: string
  /** What the line says; default: of the block. */
  readonly length?: string
  readonly block?: Bytes
}

/** A record of ARC 1, with the empty line behind it. */
export const arcRecord = (record: ArcRecord = {}): Buffer => {
  const { url = 'http://example.com/', date = '20260131120000', mime = 'text/html' } = record
  const block = bytesOf(record.block ?? httpResponse())
  const line = `${url} 192.0.2.1 ${date} ${mime} ${record.length ?? block.length}\n`
  return Buffer.concat([Buffer.from(line, 'latin1'), block, Buffer.from('\n')])
}

/** The first record of an ARC file. */
export const arcVersion = (version: 1 | 2 = 1): Buffer => {
  const names =
    version === 1
      ? 'URL IP-address Archive-date Content-type Archive-length'
      : 'URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length'
  const block = `${version} 0 none\n${names}\n\n`
  const between = version === 1 ? '' : ' 200 - - 0 made.arc'
  return Buffer.from(
    `filedesc://made.arc 0.0.0.0 20260131120000 text/plain${between} ${block.length}\n${block}\n`,
  )
}

/** Each record in a gzip member of its own. */
export const packed = (...records: readonly Buffer[]): Buffer =>
  Buffer.concat(records.map((record) => gzipSync(record)))

/** A gzip member whose header has every field that there may be. */
export const memberWithAllFields = (content: Bytes): Buffer => {
  const raw = bytesOf(content)
  const extra = Buffer.from('sl\x08\x00lengths!', 'latin1')
  const header = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, extra.length, 0]),
    extra,
    Buffer.from('name\0comment\0'),
  ])
  const headerCrc = Buffer.alloc(2)
  headerCrc.writeUInt16LE(crc32(header) & 0xffff)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(raw))
  trailer.writeUInt32LE(raw.length, 4)
  return Buffer.concat([header, headerCrc, deflateRawSync(raw), trailer])
}

/** Each piece in a Zstandard frame of its own, with length and checksum. */
export const frames = (pieces: readonly Bytes[], dictionary?: Buffer): Buffer =>
  Buffer.concat(
    pieces.map((piece) =>
      zstdCompressSync(bytesOf(piece), {
        params: { [constants.ZSTD_c_checksumFlag]: 1 },
        ...(dictionary && { dictionary }),
      }),
    ),
  )

/** A frame that decoders skip; of 0x5d: with a dictionary. */
export const skippable = (content: Bytes, magic = 0x50): Buffer => {
  const header = Buffer.from([magic, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, bytesOf(content)])
}
