import { createHash } from 'node:crypto'
import { createChunkedDecoder } from './chunked.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, without padding. */
export const base32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

/** Nearly every field of a WARC file is one. */
const usualDigest = /^sha1:[A-Z2-7]{32}$/

/** Of an index: a SHA-1 without its prefix, in base 32, however the field writes it; undefined where the field says none. */
export const digestToken = (field: string | undefined): string | undefined => {
  if (field !== undefined && usualDigest.test(field)) return field.slice(5)
  const value = field?.replace(/^sha-?1:/i, '')
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value) || value === '-') return undefined
  if (value === field && !/^[A-Z2-7]{32}$/i.test(value)) return value
  if (/^[0-9a-f]{40}$/i.test(value)) return base32(Buffer.from(value, 'hex'))
  return /^[A-Z2-7]{32}=*$/i.test(value) ? value.slice(0, 32).toUpperCase() : undefined
}

/** The digest of a payload as it comes by. */
export interface PayloadDigest {
  push(bytes: Buffer): void
  end(): string
}

export const createPayloadDigest = (isChunked: boolean): PayloadDigest => {
  const stored = createHash('sha1')
  if (!isChunked) return { push: (bytes) => void stored.update(bytes), end: () => base32(stored.digest()) }
  // Some crawlers undo the coding and keep the field: then the payload is what is stored.
  const decoded = createHash('sha1')
  const decoder = createChunkedDecoder((bytes) => void decoded.update(bytes))
  return {
    push: (bytes) => {
      stored.update(bytes)
      decoder.push(bytes)
    },
    end: () => base32((decoder.isChunked() ? decoded : stored).digest()),
  }
}
