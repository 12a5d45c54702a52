import { cdxjTexts, isCdxj } from '../lines/cdxj.ts'
import { layouts, type OutputColumn } from '../lines/columns.ts'
import { isHeader } from '../lines/formats.ts'

/** A line of the index, in any format: those of one index may differ. */
export interface CaptureLine {
  /** Without its end. */
  readonly text: string
  readonly key: string
  /** 14 digits. */
  readonly time: string
  readonly isCdxj: boolean
  /** Number of fields of a line of CDX; 0 for CDXJ. */
  readonly fieldCount: number
  /** The text of a field; '-' if the line lacks it. A SHA-1 digest has no prefix. */
  field(column: OutputColumn): string
}

/** Returns undefined if the text is not a line of CDX or CDXJ: it cannot be shown. */
export const captureLine = (text: string): CaptureLine | undefined => {
  const keyEnd = text.indexOf(' ')
  const time = text.slice(keyEnd + 1, keyEnd + 15)
  if (keyEnd < 1 || !isTime.test(time) || isHeader(text)) return undefined
  return text.charCodeAt(text.length - 1) === closingBrace && isCdxj(text)
    ? cdxjLine(text, text.slice(0, keyEnd), time)
    : cdxLine(text, text.slice(0, keyEnd), time)
}

const isTime = /^\d{14}$/
const closingBrace = 125

const cdxLine = (text: string, key: string, time: string): CaptureLine | undefined => {
  const fields = text.split(' ')
  const columns: readonly OutputColumn[] | undefined = layouts.get(fields.length)
  if (!columns) return undefined
  const field = (column: OutputColumn): string => {
    if (column === 'time') return time
    const value = fields[columns.indexOf(column)] || '-'
    return column === 'digest' ? bareDigest(value) : value
  }
  return { text, key, time, isCdxj: false, fieldCount: fields.length, field }
}

const cdxjLine = (text: string, key: string, time: string): CaptureLine | undefined => {
  const read = cdxjTexts(text)
  if (read._tag === 'Left') return undefined
  const texts: Readonly<Partial<Record<OutputColumn, string>>> = read.right
  const field = (column: OutputColumn): string => {
    if (column === 'time') return time
    const value = texts[column] ?? '-'
    return column === 'digest' ? bareDigest(value) : value
  }
  return { text, key, time, isCdxj: true, fieldCount: 0, field }
}

const bareDigest = (digest: string): string =>
  digest.length > 5 && digest.slice(0, 5).toLowerCase() === 'sha1:' ? digest.slice(5) : digest
