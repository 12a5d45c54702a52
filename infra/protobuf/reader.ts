import { asBuffer } from '../utf8.ts'

/**
 * Reads protobuf's wire format directly from bytes. For messages that arrive by the thousand, and for fields that the
 * generated classes lack. A class, because a set of closures for each message takes twice as long. Throws a RangeError
 * where the bytes are invalid.
 */
export class ProtobufReader {
  /** Offset of the next byte. */
  #at = 0
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : asBuffer(bytes)
  }

  /** Whether a message goes on that ends at `end`; that of all bytes if absent. */
  isBefore(end: number = this.#bytes.length): boolean {
    return this.#at < end
  }

  /** Calls `take` at each field of a message up to `end`; it must read the field or skip it. */
  each(end: number | undefined, take: (field: number, tag: number) => void): void {
    while (this.isBefore(end)) {
      const tag = this.tag()
      take(tag >>> 3, tag)
    }
  }

  /** A field's number and wire type: `8 * number + type`. */
  tag(): number {
    return this.#varint()
  }

  /** The length of a message. Returns the offset of its end. */
  end(): number {
    const length = this.#varint()
    return this.#at + length
  }

  /** 64 bits, without a sign. */
  integer(): bigint {
    const from = this.#at
    const value = this.#varint()
    if (value < 2 ** 53) return BigInt(value)
    let exact = 0n
    for (let i = this.#at - 1; i >= from; i--) exact = (exact << 7n) | BigInt(this.#bytes[i]! & 127)
    return BigInt.asUintN(64, exact)
  }

  text(): string {
    const length = this.#varint()
    const from = this.#pass(length)
    return this.#bytes.toString('utf8', from, this.#at)
  }

  /** A view of the bytes. */
  bytes(): Buffer {
    const length = this.#varint()
    const from = this.#pass(length)
    return this.#bytes.subarray(from, this.#at)
  }

  /** Skips the field behind its tag; a group with all that it holds. */
  skip(tag: number): void {
    let groups = 0
    for (let next = tag; ; next = this.tag()) {
      const type = next & 7
      if (type === 0) this.#varint()
      else if (type === 1) this.#pass(8)
      else if (type === 2) this.#pass(this.#varint())
      else if (type === 3) groups++
      else if (type === 4 && groups > 0) groups--
      else if (type === 5) this.#pass(4)
      else throw new RangeError(`the field has the wire type ${type}`)
      if (groups === 0) return
    }
  }

  /** Exact up to 2^53. */
  #varint(): number {
    const first = this.#bytes[this.#at]
    if (first !== undefined && first < 128) {
      this.#at++
      return first
    }
    let value = 0
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    throw new RangeError('a number has no end')
  }

  /** Moves behind the next bytes. Returns their offset. */
  #pass(bytes: number): number {
    if (bytes > this.#bytes.length - this.#at) throw new RangeError('the message ends within a field')
    this.#at += bytes
    return this.#at - bytes
  }
}
