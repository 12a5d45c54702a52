/*
 * Writes protobuf's wire format directly into bytes. For messages that are sent by the thousand; all others use the
 * generated classes.
 */

const varintType = 0
const bytesType = 2

/** Bytes kept free for the length of a message, a padded varint, which is known only behind it. */
const lengthRoom = 4

export interface ProtobufWriter {
  /** A whole number from 0 to 2^53. */
  number(field: number, value: number): void
  /** 64 bits, with a sign. */
  integer(field: number, value: bigint): void
  text(field: number, value: string): void
  bytes(field: number, value: Uint8Array): void
  message(field: number, write: () => void): void
  /** Returns a copy of what was written, and begins a new message. */
  finish(): Buffer
}

export const createProtobufWriter = (): ProtobufWriter => {
  let buffer = Buffer.allocUnsafe(4096)
  let at = 0

  const makeRoom = (bytes: number): void => {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(at + bytes, 2 * buffer.length))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }
  const varint = (value: number): void => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) buffer[at++] = (rest % 128) | 128
    buffer[at++] = rest
  }
  const begin = (field: number, type: number, bytes: number): void => {
    makeRoom(bytes + 20)
    varint(field * 8 + type)
  }

  return {
    number: (field, value) => {
      begin(field, varintType, 0)
      varint(value)
    },
    integer: (field, value) => {
      begin(field, varintType, 0)
      let rest = BigInt.asUintN(64, value)
      for (; rest >= 128n; rest >>= 7n) buffer[at++] = Number(rest & 127n) | 128
      buffer[at++] = Number(rest)
    },
    text: (field, value) => {
      const length = Buffer.byteLength(value)
      begin(field, bytesType, length)
      varint(length)
      at += buffer.write(value, at)
    },
    bytes: (field, value) => {
      begin(field, bytesType, value.length)
      varint(value.length)
      buffer.set(value, at)
      at += value.length
    },
    message: (field, write) => {
      begin(field, bytesType, lengthRoom)
      const start = at
      at += lengthRoom
      write()
      let length = at - start - lengthRoom
      for (let i = 0; i < lengthRoom; i++, length >>>= 7)
        buffer[start + i] = (length & 127) | (i < lengthRoom - 1 ? 128 : 0)
    },
    finish: () => {
      const written = Buffer.from(buffer.subarray(0, at))
      at = 0
      return written
    },
  }
}
