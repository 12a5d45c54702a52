import { ByteWindow } from '../bytes/byte-window.ts'
import { gzipHeaderLength } from '../bytes/gzip-header.ts'
import type { Inflater } from '../bytes/inflater.ts'
import { beginBytes, firstLine, readFull, type Search, type SearchTools, scan } from './search.ts'

const magic = Buffer.from([0x1f, 0x8b, 8])
const trailerLength = 8
/** Inflated bytes between two breaths. */
const stepBytes = 8 * 1024 * 1024

/** Records in gzip members: any place with the signature of one, where what it holds begins as a record does. */
export const createGzipSearch = (tools: SearchTools, inflater: Inflater): Search => {
  const { file, spend, breathe } = tools
  const begin = new RegExp(`^${firstLine(tools.isArc)}`, tools.isArc ? 'i' : '')
  const inflated = Buffer.allocUnsafe(64 * 1024)

  /** Behind the header of a member; undefined where there is none. */
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

  /** Gives how many bytes came of it; undefined where nothing is left to inflate, or it makes no sense. */
  const step = (window: ByteWindow, most: number): number | undefined => {
    if (!window.has(1)) return undefined
    try {
      inflater.step(window.bytes, window.start, window.end, inflated, 0, most)
    } catch {
      return undefined
    }
    window.advance(inflater.consumed)
    return inflater.produced
  }

  const isRecord = (at: number): boolean => {
    const window = open(at, beginBytes)
    const length = window && step(window, beginBytes)
    return length !== undefined && begin.test(inflated.toString('latin1', 0, length))
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
    endOf: async (from) => {
      const window = open(from, inflated.length)
      if (!window) return undefined
      let budget = stepBytes
      let looked = 0
      do {
        const produced = step(window, inflated.length)
        if (produced === undefined) {
          spend(looked)
          return undefined
        }
        looked += inflater.consumed
        budget -= produced
        if (budget < 0) await breathe()
        if (budget < 0) budget = stepBytes
      } while (!inflater.isEnded)
      const end = window.position + trailerLength
      if (end > file.size) return undefined
      return end === file.size || readFull(file, end, Buffer.alloc(magic.length)).equals(magic)
        ? end
        : undefined
    },
  }
}
