import { isUtf8 } from 'node:buffer'

/** Without copying. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The text that these bytes are, a byte order mark included; undefined where they are no UTF-8. */
export const textOf = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? asBuffer(bytes).toString('utf8') : undefined
