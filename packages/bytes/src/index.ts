/** Reads a stream of chunks in lengths that the reader chooses. It buffers the rest of one chunk, or of one `take`. */
export interface Bytes {
  /** Takes `length` bytes; fewer at the end, none behind it. Valid until the next call. */
  take(length: number): Promise<Buffer>
  /** Takes the bytes that are available, at most `max`; none at the end. */
  some(max: number): Promise<Buffer>
  /** Skips `length` bytes. */
  skip(length: number): Promise<void>
  /** Moves to the next `mark`, without taking it. Returns false if there is none. */
  skipTo(mark: Buffer): Promise<boolean>
}

export const bytesOf = (source: AsyncIterable<Uint8Array>): Bytes => {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  const more = async (): Promise<boolean> => {
    const next = await chunks.next()
    if (next.done) return false
    const { buffer, byteOffset, byteLength } = next.value
    const chunk = Buffer.from(buffer, byteOffset, byteLength)
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    return true
  }

  const cut = (length: number): Buffer => {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }

  return {
    take: async (length) => {
      while (held.length < length && (await more()));
      return cut(length)
    },
    some: async (max) => {
      while (held.length === 0 && (await more()));
      return cut(max)
    },
    skip: async (length) => {
      let left = length
      while (left > 0) {
        const skipped = Math.min(left, held.length)
        cut(skipped)
        left -= skipped
        if (left > 0 && !(await more())) return
      }
    },
    skipTo: async (mark) => {
      for (;;) {
        const at = held.indexOf(mark)
        if (at >= 0) {
          cut(at)
          return true
        }
        cut(Math.max(0, held.length - mark.length + 1))
        if (!(await more())) return false
      }
    },
  }
}

export {
  createLineSplitter,
  encodingOf,
  type LineSplitter,
  linesOf,
  type TextLine,
  textLines,
} from './lines.ts'
