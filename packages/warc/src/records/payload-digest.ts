import { createHash } from 'node:crypto'
import { base32 } from './base32.ts'
import { createChunkedDecoder } from './chunked.ts'

/** Computes the digest of a payload as it is read. */
export interface PayloadDigest {
  push(bytes: Buffer): void
  end(): string
}

/** SHA-1 in base 32 of a payload, after decoding its chunked transfer coding if it has one. */
export const createPayloadDigest = (isChunked: boolean): PayloadDigest => {
  const stored = createHash('sha1')
  if (!isChunked) return { push: (bytes) => void stored.update(bytes), end: () => base32(stored.digest()) }
  // Some crawlers decode the body and keep the field: then the payload is as stored.
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
