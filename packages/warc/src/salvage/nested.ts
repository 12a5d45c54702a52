import { constants, inflateRawSync } from 'node:zlib'
import { packingOf } from '../open-container.ts'
import { beginsRecord } from './search.ts'

/** The head of a damaged record. */
interface RecordBegin {
  readonly headLength: number
  readonly blockLength: number
  /** Its payload begins as an archive does: apparent records in it are not the file's. */
  readonly isNested: boolean
}

/** Reads the head from the first bytes of a record. Returns undefined if they are not one. */
export const recordBegin = (bytes: Buffer, isArc: boolean): RecordBegin | undefined => {
  const text = bytes.toString('latin1')
  if (!beginsRecord(text, isArc)) return undefined
  const head = (isArc ? /^[^\n]*\n/ : /^.*?\n\r*\n/s).exec(text)?.[0]
  const length =
    head && (isArc ? / (\d{1,15})\r?\n/ : /\ncontent-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r?\n/i).exec(head)
  if (!length) return undefined
  const block = text.slice(head.length)
  const http = block.startsWith('HTTP') ? (/^.*?\n\r*\n/s.exec(block)?.[0].length ?? block.length) : 0
  return {
    headLength: head.length,
    blockLength: Number(length[1]),
    isNested: beginsArchive(bytes.subarray(head.length + http)),
  }
}

const archiveBegin = /^(WARC\/\d|filedesc:)/i
const gzipHeaderLength = 10
const begunBytes = 4096

const beginsArchive = (payload: Buffer): boolean => {
  const text = payload.toString('latin1', 0, 16)
  if (archiveBegin.test(text) || packingOf(text.slice(0, 4)) === 'zstd') return true
  return text.startsWith('\x1f\x8b\x08') && archiveBegin.test(begunText(payload))
}

/** Decompresses the beginning of a gzip member. A member whose header has optional fields counts as an archive. */
const begunText = (member: Buffer): string => {
  if (member[3] !== 0) return 'WARC/1'
  try {
    const packed = member.subarray(gzipHeaderLength, gzipHeaderLength + begunBytes)
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1', 0, 16)
  } catch {
    return ''
  }
}
