import { ByteWindow } from '../bytes/byte-window.ts'
import { zstdBlock, zstdHeader } from '../bytes/zstd-frame.ts'
import { readFull, type Search, type SearchTools, scan } from './search.ts'

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const checksumLength = 4

/**
 * Searches for records in Zstandard frames, by the signature of a frame. Only reading it shows whether a
 * record begins in it.
 */
export const createZstdSearch = (tools: SearchTools): Search => {
  const { file } = tools
  const bytesAt = (at: number, length: number) => readFull(file, at, Buffer.alloc(length))

  return {
    next: (from) => scan(tools, from, (bytes, start) => bytes.indexOf(magic, start)),
    // Frames state their end; the signature of a nested one is not searched for.
    within: async (from) => from + 1,
    endOf: async (from) => {
      const window = new ByteWindow(
        64,
        (into, start, to, position) => readFull(file, position, into.subarray(start, to)).length,
      )
      window.restart(from)
      const header = zstdHeader(window)
      if (typeof header === 'string') return undefined
      let end = from + header.length
      for (let isLast = false; !isLast; ) {
        const bytes = bytesAt(end, 3)
        const block = bytes.length === 3 ? zstdBlock(bytes, 0) : undefined
        if (!block) return undefined
        end += block.length
        isLast = block.isLast
      }
      if (header.hasChecksum) end += checksumLength
      return end === file.size || bytesAt(end, magic.length).equals(magic) ? end : undefined
    },
  }
}
