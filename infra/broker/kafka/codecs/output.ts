/** The content of a batch is not in this format, or exceeds its limit. */
export class UnreadableBatch extends Error {
  override readonly name = 'UnreadableBatch'
}

/** Output of a decompressor: never more than `maxBytes`, whatever sizes the input declares. */
export interface Output {
  /** Throws `UnreadableBatch` if it would grow too large; so does `repeat`. */
  copy(source: Buffer, from: number, count: number): void
  /** Repeats output from `distance` bytes before. Throws also if there is none. */
  repeat(distance: number, count: number): void
  readonly length: number
  /** Returns the output. */
  bytes(): Buffer
}

const firstBytes = 64 * 1024

export const createOutput = (maxBytes: number): Output => {
  let made = Buffer.allocUnsafe(Math.min(firstBytes, maxBytes))
  let length = 0

  const makeRoom = (count: number): void => {
    const wanted = length + count
    if (wanted > maxBytes) throw tooLarge(maxBytes)
    if (wanted <= made.length) return
    const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(wanted, made.length * 2)))
    made.copy(larger, 0, 0, length)
    made = larger
  }

  return {
    copy: (source, from, count) => {
      if (count > source.length - from) throw new UnreadableBatch('it ends early')
      makeRoom(count)
      source.copy(made, length, from, from + count)
      length += count
    },
    repeat: (distance, count) => {
      if (distance < 1 || distance > length) throw new UnreadableBatch(`it refers ${distance} bytes back`)
      makeRoom(count)
      if (distance >= count) made.copyWithin(length, length - distance, length - distance + count)
      else for (let i = length; i < length + count; i++) made[i] = made[i - distance]!
      length += count
    },
    get length() {
      return length
    },
    bytes: () => made.subarray(0, length),
  }
}

export const tooLarge = (maxBytes: number): UnreadableBatch =>
  new UnreadableBatch(`it holds more than ${maxBytes} bytes once decompressed`)
