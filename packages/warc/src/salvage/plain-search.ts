import { recordBegin } from './nested.ts'
import { beginBytes, firstLine, readFull, type Search, type SearchTools, scan } from './search.ts'

/** Searches for uncompressed records, by the first line of a record. */
export const createPlainSearch = (tools: SearchTools): Search => {
  const { file, isArc } = tools
  // A line of ARC is recognised by the line end before it; before `WARC/`, damage may have removed that.
  const line = new RegExp(`${isArc ? '(?<=\\n)' : ''}${firstLine(isArc)}`, isArc ? 'gi' : 'g')
  const begin = new RegExp(`^${firstLine(isArc)}`, isArc ? 'i' : '')

  return {
    next: (from) =>
      scan(tools, from, (bytes, start) => {
        line.lastIndex = start
        return line.exec(bytes.toString('latin1'))?.index ?? -1
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
      const next = [empty, 1].find((by) => end + by >= file.size || begin.test(behind.slice(by)))
      return next === undefined ? undefined : end + next
    },
  }
}
