import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Capture, RecordPlace } from '../capture.ts'
import { cdxjTexts, isCdxj } from './cdxj.ts'
import { layouts, type Texts } from './columns.ts'
import { isHeader } from './formats.ts'

export interface CdxLine {
  readonly key: string
  readonly capture: Capture
}

/** Of lines without their ends; headers and empty lines are skipped. A problem names the line by its number and shows it. */
export function* parseLines(lines: Iterable<string>): Generator<E.Either<string, CdxLine>> {
  let number = 0
  for (const line of lines) {
    number++
    const named = (problem: string) => `line ${number}: ${problem}`
    if (line !== '' && !isHeader(line)) yield pipe(parseLine(line), E.mapLeft(named))
  }
}

/** A line of CDX with 7 or 9 to 14 fields, or of CDXJ; left: what is wrong with it, and the line. */
export const parseLine = (line: string): E.Either<string, CdxLine> =>
  pipe(
    isCdxj(line) ? cdxjTexts(line) : cdxTexts(line),
    E.chain(lineOf),
    E.mapLeft((problem) => `${problem}: ${shown(line)}`),
  )

const cdxTexts = (line: string): E.Either<string, Texts> => {
  const fields = line.split(' ')
  const columns = layouts.get(fields.length)
  return columns === undefined
    ? E.left(`a line has 7 or 9 to 14 fields parted by one blank each, and this has ${fields.length}`)
    : E.right(Object.fromEntries(columns.map((column, i) => [column, fields[i]])))
}

const lineOf = (texts: Texts): E.Either<string, CdxLine> => {
  const empty = Object.entries(texts).find(([, text]) => text === '')
  if (empty) return E.left(`the field ${empty[0]} is empty; what is not known is written as -`)
  if (!isTime.test(texts.time ?? '')) return E.left(`the time ${texts.time} is not one of 14 digits`)
  const wrong = numbers.find((column) => !isNumeral.test(texts[column] ?? '-'))
  if (wrong) return E.left(`the ${wrong} ${texts[wrong]} is no number of bytes`)
  return E.right({ key: texts.key ?? '-', capture: captureOf(texts) })
}

const isTime = /^\d{14}(?:\d{3})?$/
const isNumeral = /^(?:\d{1,15}|-)$/
const numbers = ['length', 'offset', 'originalLength', 'originalOffset'] as const

const captureOf = (texts: Texts): Capture => {
  const original = originalOf(texts)
  return {
    url: texts.url ?? '-',
    time: (texts.time ?? '').slice(0, 14),
    mime: texts.mime ?? '-',
    status: texts.status ?? '-',
    digest: (texts.digest ?? '-').replace(/^sha1:/i, ''),
    redirect: texts.redirect ?? '-',
    flags: texts.flags ?? '-',
    length: numberOf(texts.length),
    offset: numberOf(texts.offset),
    file: texts.file ?? '-',
    ...(original && { original }),
  }
}

const originalOf = (texts: Texts): RecordPlace | undefined =>
  texts.originalFile === undefined || texts.originalFile === '-'
    ? undefined
    : {
        length: numberOf(texts.originalLength),
        offset: numberOf(texts.originalOffset),
        file: texts.originalFile,
      }

const numberOf = (text = '-'): number => (text === '-' ? -1 : Number(text))

/** Lines may be long. */
const shown = (line: string): string => JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)
