import type { OnProgress } from '../progress.ts'
import { beginsArc, maxArcLine } from '../records/arc-line.ts'
import type { Source } from '../source.ts'

/** Searches for records after one that does not state its end. */
export interface Search {
  /** Offset of an apparent record at or behind `from`; undefined if there is none. */
  next(from: number): Promise<number | undefined>
  /** Stated end of the damaged record at `from`, if another record begins there or nothing is left. */
  endOf(from: number): Promise<number | undefined>
  /**
   * Offset behind the damaged record at `from` if it contains an archive itself, so that no record of that is
   * found; else behind its first byte.
   */
  within(from: number): Promise<number>
}

export interface SearchTools {
  readonly file: Source
  readonly isArc: boolean
  /** Counts bytes that were searched in vain. Returns false once the limit is reached. */
  readonly spend: (bytes: number) => boolean
  readonly onProgress: OnProgress
}

/** Bytes that contain the first line of any record. */
export const beginBytes = maxArcLine

/** URL schemes that crawlers record. Damaged bytes may end in a part of one, so no other word counts. */
const schemes =
  'https?|ftps?|dns|whois|metadata|screenshot|filedesc|gopher|mailto|news|nntp|rtsp|mms|urn|warcinfo'

const arcUrl = new RegExp(`^(?:${schemes}):`, 'i')
const warcLine = /^WARC\/(?:0\.17|0\.18|1\.0|1\.1)[ \t]*\r?\n/

/** Returns true if a text begins with the first line of a record. */
export const beginsRecord = (text: string, isArc: boolean): boolean =>
  isArc ? arcUrl.test(text) && beginsArc(text) : warcLine.test(text)

/** Pattern of bytes that may begin a record. A line of ARC is recognised by the line end before it. */
export const maybeRecord = (isArc: boolean): RegExp =>
  isArc ? new RegExp(`(?<=\\n)(?:${schemes}):`, 'gi') : /WARC\//g

const chunkBytes = 1024 * 1024

/**
 * Finds the first place at or behind `from` that `find` accepts, chunk by chunk. One byte before it is
 * included, as a separator of lines.
 */
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

/** Fills the buffer from an offset on; returns less only at the end of the file. */
export const readFull = (file: Source, at: number, into: Buffer): Buffer => {
  const wanted = Math.min(into.length, file.size - at)
  for (let read = 0; read < wanted; ) read += file.read(at + read, into.subarray(read, wanted))
  return into.subarray(0, Math.max(0, wanted))
}
