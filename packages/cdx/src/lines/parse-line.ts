import type { Capture, CaptureRequest, RecordPlace } from '../capture.ts'
import { earliest } from '../query/time-bounds.ts'
import { cdxjTexts, isCdxj } from './cdxj.ts'
import { layouts, type Texts } from './columns.ts'
import { inWords, type Result, read, wrong } from './result.ts'

export interface CdxLine {
  readonly key: string
  readonly capture: Capture
}

/** Parses a line of CDX with 7 or 9 to 14 fields, or of CDXJ. Left: the problem, and the line. */
export const parseLine = (line: string): Result<string, CdxLine> => {
  const texts = isCdxj(line) ? cdxjTexts(line) : cdxTexts(line)
  return withLine(texts._tag === 'Left' ? texts : lineOf(texts.right), line)
}

/** Adds the line to a problem. */
export const withLine = (read: Result<string, CdxLine>, line: string): Result<string, CdxLine> =>
  inWords(read, (problem) => `${problem}: ${shown(line)}`)

const cdxTexts = (line: string): Result<string, Texts> => {
  const fields = line.split(' ')
  const columns = layouts.get(fields.length)
  return columns === undefined
    ? wrong(`a line has 7 or 9 to 14 fields parted by one blank each, and this has ${fields.length}`)
    : read(Object.fromEntries(columns.map((column, i) => [column, fields[i]])))
}

/** The line of the texts of its fields. Left: the problem. */
export const lineOf = (texts: Texts): Result<string, CdxLine> => {
  const empty = Object.entries(texts).find(([name, text]) => text === '' && name !== 'requestBody')
  if (empty) return wrong(`the field ${empty[0]} is empty; what is not known is written as -`)
  if (!isTime.test(texts.time ?? ''))
    return wrong(`the time ${texts.time} is not one of 14 digits, nor of 8, 10 or 12`)
  if (!isStatus.test(texts.status ?? '-'))
    return wrong(`the status ${texts.status} is no number; what is not known is written as -`)
  const odd = numbers.find((column) => !isNumeral.test(texts[column] ?? '-'))
  if (odd) return wrong(`the ${odd} ${texts[odd]} is no number of bytes`)
  return read({ key: texts.key ?? '-', capture: captureOf(texts) })
}

/** Seconds; or milliseconds, minutes, hours, a day, as some programs write them. */
const isTime = /^\d{8}(?:\d{2}|\d{4}|\d{6}|\d{9})?$/
/** OutbackCDX gives -1 where it knows none. */
const isStatus = /^(?:-?\d{1,9}|-)$/
const isNumeral = /^(?:\d{1,15}|-)$/
const numbers = ['length', 'offset', 'originalLength', 'originalOffset'] as const

const captureOf = (texts: Texts): Capture => {
  const original = originalOf(texts)
  return {
    url: texts.url ?? '-',
    time: earliest(texts.time ?? ''),
    mime: texts.mime ?? '-',
    status: texts.status ?? '-',
    digest: (texts.digest ?? '-').replace(/^sha1:/i, ''),
    redirect: texts.redirect ?? '-',
    flags: texts.flags ?? '-',
    length: numberOf(texts.length),
    offset: numberOf(texts.offset),
    file: texts.file ?? '-',
    ...(texts.method !== undefined && hasBody.test(texts.method) && { request: requestOf(texts) }),
    ...(original && { original }),
  }
}

const hasBody = /^(?:POST|PUT)$/i

const requestOf = ({ method = '', requestBody = '' }: Texts): CaptureRequest => ({
  method: method.toUpperCase(),
  body: requestBody,
})

const originalOf = (texts: Texts): RecordPlace | undefined =>
  texts.originalFile === undefined || texts.originalFile === '-'
    ? undefined
    : {
        length: numberOf(texts.originalLength),
        offset: numberOf(texts.originalOffset),
        file: texts.originalFile,
      }

const numberOf = (text = '-'): number => (text === '-' ? -1 : Number(text))

/** Quotes a line, which may be long and is cut. */
const shown = (line: string): string => JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)
