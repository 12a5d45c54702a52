import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import { type CaptureRequest, requestQuery } from '@fonds/cdx'
import { createChunkedDecoder, headParser } from '@fonds/warc'

/** Reads the block of a request record: an HTTP head, and a body. */
export interface RequestBlock {
  push(bytes: Buffer): void
  /** Undefined if it is no POST or PUT. */
  end(): BlockRequest | undefined
}

interface BlockRequest extends CaptureRequest {
  /** Its body is too long to be read as what it is: it is taken as bytes. */
  readonly isTooLong: boolean
}

const maxHeadBytes = 256 * 1024
/** Bytes of a body that are kept. Of a form or of other bytes, its first few thousand are enough. */
const maxBodyBytes = 4 * 1024 * 1024
/** Bytes that cdxj-indexer reads of a body whose length the head does not say. */
const unknownLength = 8192

const readHead = headParser(['content-type', 'content-length', 'transfer-encoding', 'content-encoding'])
const requestLine = /^([!#$%&'*+.^`|~\w-]+)[ \t]/

export const createRequestBlock = (): RequestBlock => {
  let head = ''
  let body: Body | undefined
  let isEnded = false

  const begin = (length: number): Body | undefined => {
    const method = requestLine.exec(head)?.[1]
    if (method === undefined || !/^(?:POST|PUT)$/i.test(method)) return undefined
    const { fields } = readHead(head.slice(0, length))
    const [mime = '', declared, coding = '', packing = ''] = fields
    return createBody({ method, mime, declared, isChunked: /\bchunked$/i.test(coding), packing })
  }

  return {
    push: (bytes) => {
      if (body) return body.push(bytes)
      if (isEnded) return
      const before = head.length
      head += bytes.toString('latin1')
      const { length } = readHead(head)
      if (length < 0) {
        if (head.length > maxHeadBytes) isEnded = true
        return
      }
      isEnded = true
      body = begin(length)
      body?.push(bytes.subarray(Math.max(0, length - before)))
    },
    end: () => (isEnded ? body : begin(head.length))?.end(),
  }
}

interface Body {
  push(bytes: Buffer): void
  end(): BlockRequest
}

interface BodyHead {
  readonly method: string
  readonly mime: string
  /** `Content-Length`. */
  readonly declared: string | undefined
  readonly isChunked: boolean
  /** `Content-Encoding`. */
  readonly packing: string
}

const createBody = ({ method, mime, declared, isChunked, packing }: BodyHead): Body => {
  const stored = createKept()
  const decoded = createKept()
  const decoder = isChunked ? createChunkedDecoder(decoded.push) : undefined
  return {
    push: (bytes) => {
      stored.push(bytes)
      decoder?.push(bytes)
    },
    end: () => {
      const kept = decoder?.isChunked() ? decoded : stored
      const length = lengthOf(declared)
      const whole = unpacked(kept.bytes(), packing)
      const isTooLong = kept.length() > maxBodyBytes && !isPrefixEnough.test(mime)
      const body = length === undefined ? Buffer.alloc(0) : whole.subarray(0, length)
      return {
        method: method.toUpperCase(),
        body:
          length === undefined
            ? ''
            : requestQuery({
                method,
                mime: isTooLong ? '' : mime,
                body: kept.length() > maxBodyBytes ? wholeCharacters(body) : body,
              }),
        isTooLong,
      }
    },
  }
}

/** Media types that are read as a whole are the others. */
const isPrefixEnough = /^(?!multipart\/|application\/json|text\/plain)/

const createKept = () => {
  const chunks: Buffer[] = []
  let length = 0
  return {
    push: (bytes: Buffer): void => {
      // The bytes are valid during the call alone.
      if (length < maxBodyBytes) chunks.push(Buffer.from(bytes.subarray(0, maxBodyBytes - length)))
      length += bytes.length
    },
    length: () => length,
    bytes: () => Buffer.concat(chunks),
  }
}

/** The length of a body by its head, as Python reads a number; undefined if it is none. */
const lengthOf = (declared: string | undefined): number | undefined => {
  if (declared === undefined) return unknownLength
  return /^[+-]?\d+(?:_\d+)*$/.test(declared) ? Math.max(0, Number(declared.replaceAll('_', ''))) : undefined
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBodyBytes }),
  deflate: (bytes) =>
    inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBodyBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: maxBodyBytes }),
}

/** As cdxj-indexer, which decodes a body before it makes a key of it. What cannot be decoded stays. */
const unpacked = (bytes: Buffer, packing: string): Buffer => {
  const name = packing.trim().toLowerCase()
  if (!Object.hasOwn(decoders, name)) return bytes
  try {
    return decoders[name]?.(bytes) ?? bytes
  } catch {
    return bytes
  }
}

/** Without the beginning of a character at its end. */
const wholeCharacters = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes
}
