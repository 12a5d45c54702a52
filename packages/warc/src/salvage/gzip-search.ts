import { ByteWindow } from '../bytes/byte-window.ts'
import { gzipHeaderLength } from '../bytes/gzip-header.ts'
import type { Inflater } from '../bytes/inflater.ts'
import { recordBegin } from './nested.ts'
import { beginBytes, beginsRecord, readFull, type Search, type SearchTools, scan } from './search.ts'

const magic = Buffer.from([0x1f, 0x8b, 8])
const trailerLength = 8
/** Compressed bytes of a small step. */
const stepInput = 512
/** Decompressed bytes that show whether a member contains an archive. */
const begunBytes = 8 * 1024
/** Inflated bytes between two calls of `onProgress`. */
const stepBytes = 8 * 1024 * 1024

/** Searches gzip members for records: at each signature of a member whose content begins as a record does. */
export const createGzipSearch = (tools: SearchTools, inflater: Inflater): Search => {
  const { file, spend, onProgress } = tools
  const inflated = Buffer.allocUnsafe(64 * 1024)

  /** Opens a window behind the header of a member; undefined if there is none. */
  const open = (at: number, capacity: number): ByteWindow | undefined => {
    const window = new ByteWindow(
      capacity,
      (into, from, to, position) => readFull(file, position, into.subarray(from, to)).length,
    )
    window.restart(at)
    const header = gzipHeaderLength(window)
    if (typeof header === 'string') return undefined
    window.advance(header)
    inflater.begin()
    return window
  }

  /** Returns the number of bytes inflated; undefined if there is nothing to inflate, or data are invalid. */
  const step = (window: ByteWindow, most: number, input = window.bytes.length): number | undefined => {
    if (!window.has(1)) return undefined
    try {
      const end = Math.min(window.end, window.start + input)
      inflater.step(window.bytes, window.start, end, inflated, 0, most)
    } catch {
      return undefined
    }
    window.advance(inflater.consumed)
    return inflater.produced
  }

  const isRecord = (at: number): boolean => {
    const window = open(at, beginBytes)
    const length = window && step(window, beginBytes)
    return length !== undefined && beginsRecord(inflated.toString('latin1', 0, length), tools.isArc)
  }

  return {
    next: (from) => {
      let isOver = false
      return scan(tools, from, (bytes, start, position) => {
        for (let at = bytes.indexOf(magic, start); at >= 0 && !isOver; at = bytes.indexOf(magic, at + 1)) {
          if (isRecord(position + at)) return at
          isOver = !spend(beginBytes)
        }
        return -1
      })
    },
    within: async (from) => {
      const window = open(from, beginBytes)
      if (!window) return from + 1
      // Inflates no more than needed: output behind the damage is meaningless.
      const begun: Buffer[] = []
      for (let length = 0; length < begunBytes && !inflater.isEnded; ) {
        const produced = step(window, inflated.length, stepInput)
        if (produced === undefined) break
        begun.push(Buffer.from(inflated.subarray(0, produced)))
        length += produced
      }
      const bytes = Buffer.concat(begun)
      const record = recordBegin(bytes, tools.isArc)
      if (!record?.isNested) return from + 1
      // Compressed records hardly compress further, so about as many bytes of the member are left.
      return Math.max(from + 1, window.position + record.headLength + record.blockLength - bytes.length)
    },
    endOf: async (from) => {
      const window = open(from, inflated.length)
      if (!window) return undefined
      let budget = stepBytes
      let scanned = 0
      let length = 0
      do {
        const produced = step(window, inflated.length)
        if (produced === undefined) {
          spend(scanned)
          return undefined
        }
        scanned += inflater.consumed
        length += produced
        budget -= produced
        if (budget < 0) await onProgress()
        if (budget < 0) budget = stepBytes
      } while (!inflater.isEnded)
      const end = window.position + trailerLength
      // Huffman codes resynchronise: if bytes are missing, one member may seem to end where the next one
      // does.
      const trailer = readFull(file, window.position, Buffer.alloc(trailerLength))
      if (trailer.length < trailerLength || trailer.readUInt32LE(4) !== length % 2 ** 32) return undefined
      return end === file.size || readFull(file, end, Buffer.alloc(magic.length)).equals(magic)
        ? end
        : undefined
    },
  }
}
