import type { OnProgress } from '../read-file.ts'
import type { Source } from '../source.ts'

/** Looks for records where the one before does not say where they begin. */
export interface Search {
  /** Where a record seems to begin, at that byte or behind it; undefined where none does. */
  next(from: number): Promise<number | undefined>
  /** Where the damaged one that begins there ends, by its own word, and another begins or nothing is left. */
  endOf(from: number): Promise<number | undefined>
  /** Behind the damaged one that begins there, where it holds an archive by itself, so that no record of that is found; or else behind its first byte. */
  within(from: number): Promise<number>
}

export interface SearchTools {
  readonly file: Source
  readonly isArc: boolean
  /** Counts bytes that were searched in vain. Returns false once the limit is reached. */
  readonly spend: (bytes: number) => boolean
  readonly onProgress: OnProgress
}

/** Bytes that hold the first line of any record. */
export const beginBytes = 16 * 1024

/** URL schemes that crawlers record. Damaged bytes may end in a part of one, so no other word counts. */
const schemes =
  'https?|ftps?|dns|whois|metadata|screenshot|filedesc|gopher|mailto|news|nntp|rtsp|mms|urn|warcinfo'

const arcLine = String.raw`(?:${schemes}):[^\n]{0,8192} \d{12,18} [^\n ]+ \d{1,15}\r?\n`
const warcLine = String.raw`WARC/(?:0\.17|0\.18|1\.0|1\.1)[ \t]*\r?\n`

/** The line that a record begins with. */
export const firstLine = (isArc: boolean): string => (isArc ? arcLine : warcLine)

const chunkBytes = 1024 * 1024

/** The first place at or behind that byte which `find` finds, in one chunk after the other. A byte stands before: what parts lines. */
export const scan = async (
  { file, onProgress }: SearchTools,
  from: number,
  find: (bytes: Buffer, start: number, position: number) => number,
): Promise<number | undefined> => {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let at = Math.max(0, from - 1); at < file.size; at += chunkBytes - beginBytes) {
    const bytes = readFull(file, at, chunk)
    const found = find(bytes, Math.max(0, from - at), at)
    if (found >= 0) return at + found
    if (at + bytes.length >= file.size) return undefined
    await onProgress()
  }
  return undefined
}

/** Less than the buffer only at the end of the file. */
export const readFull = (file: Source, at: number, into: Buffer): Buffer => {
  const wanted = Math.min(into.length, file.size - at)
  for (let read = 0; read < wanted; ) read += file.read(at + read, into.subarray(read, wanted))
  return into.subarray(0, Math.max(0, wanted))
}
