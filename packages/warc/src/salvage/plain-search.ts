import { recordBegin } from './nested.ts'
import {
  beginBytes,
  beginsRecord,
  maybeRecord,
  readFull,
  type Search,
  type SearchTools,
  scan,
} from './search.ts'

/** Searches for uncompressed records, by the first line of a record. */
export const createPlainSearch = (tools: SearchTools): Search => {
  const { file, isArc } = tools
  const maybe = maybeRecord(isArc)

  return {
    next: (from) =>
      scan(tools, from, (bytes, start) => {
        const text = bytes.toString('latin1')
        maybe.lastIndex = start
        for (let found = maybe.exec(text); found; found = maybe.exec(text))
          if (beginsRecord(text.slice(found.index, found.index + beginBytes), isArc)) return found.index
        return -1
      }),
    within: async (from) => {
      const record = recordBegin(readFull(file, from, Buffer.alloc(beginBytes)), isArc)
      return record?.isNested ? from + record.headLength + record.blockLength : from + 1
    },
    endOf: async (from) => {
      const bytes = readFull(file, from, Buffer.alloc(beginBytes))
      const record = recordBegin(bytes, isArc)
      if (!record) return undefined
      const end = from + record.headLength + record.blockLength
      if (end >= file.size) return end === file.size ? end : undefined
      const behind = readFull(file, end, Buffer.alloc(beginBytes)).toString('latin1')
      const empty = /^[\r\n]{0,64}/.exec(behind)![0].length
      // If there is none, the one byte that ARC has there may be damaged.
      const next = [empty, 1].find((by) => end + by >= file.size || beginsRecord(behind.slice(by), isArc))
      return next === undefined ? undefined : end + next
    },
  }
}
