import { cdxjLine } from '../lines/cdxj.ts'
import type { Column, OutputColumn } from '../lines/columns.ts'
import { columnsOf } from '../lines/formats.ts'
import type { CaptureLine } from '../query/capture-line.ts'
import { millisOf } from '../query/time-bounds.ts'
import type { Field } from './parameters.ts'

/**
 * Output format of captures. A text is `start`, then, if there is a line, `heading`, the lines with
 * `separator` between them, and `end`.
 */
export interface CdxOutput {
  readonly contentType: string
  readonly start: string
  readonly heading: string
  readonly separator: string
  readonly line: (line: CaptureLine) => string
  /** `resumeKey` is where to continue, if the answer shows it. */
  readonly end: (resumeKey: string | undefined, isEmpty: boolean) => string
}

const plain: CdxOutput = {
  contentType: 'text/plain',
  start: '',
  heading: '',
  separator: '',
  line: ({ text }) => `${text}\n`,
  end: (resumeKey) => (resumeKey === undefined ? '' : `\n${resumeKey}\n`),
}

/** Lines as the index has them. */
export const storedLines: CdxOutput = plain

/** Fields separated by blanks. */
export const fieldLines = (fields: readonly Field[]): CdxOutput => ({
  ...plain,
  line: (line) => `${fields.map(({ column }) => line.field(column)).join(' ')}\n`,
})

export const cdxLines = (format: 'cdx-9' | 'cdx-11' | 'cdx-14'): CdxOutput => {
  const columns = columnsOf(format)
  return {
    ...plain,
    line: (line) =>
      line.fieldCount === columns.length && isShortTime(line)
        ? `${line.text}\n`
        : `${columns.map((column) => line.field(column)).join(' ')}\n`,
  }
}

/** Returns false for a time with milliseconds, which this format does not have. */
const isShortTime = ({ text, key }: CaptureLine): boolean => text.charCodeAt(key.length + 15) === blank
const blank = 32

/** `key time {…}`, with all known fields, or some. */
export const cdxjLines = (fields?: readonly Field[]): CdxOutput => ({
  ...plain,
  contentType: 'text/x-cdxj',
  line: (line) =>
    fields
      ? `${line.key} ${line.time} ${JSON.stringify(
          objectOf(
            line,
            fields.filter(({ column }) => !isPlace(column)),
          ),
        )}\n`
      : `${line.isCdxj && isShortTime(line) ? line.text : cdxjLine(textsOf(line))}\n`,
})

const isPlace = (column: OutputColumn): boolean => column === 'key' || column === 'time'

/** An object for each line, with its known fields. */
export const jsonLines = (fields: readonly Field[]): CdxOutput => ({
  ...plain,
  contentType: 'text/x-ndjson',
  line: (line) => `${JSON.stringify(objectOf(line, fields))}\n`,
})

const objectOf = (line: CaptureLine, fields: readonly Field[]): object => {
  const known: Record<string, string> = {}
  for (const { name, column } of fields) {
    const text = line.field(column)
    if (text !== '-') known[name] = text
  }
  return known
}

const inArray: CdxOutput = {
  ...plain,
  contentType: 'application/json',
  start: '[',
  separator: ',\n',
  end: (resumeKey, isEmpty) =>
    resumeKey === undefined ? ']\n' : `${isEmpty ? '' : ',\n'}[],\n${JSON.stringify([resumeKey])}]\n`,
}

type ValueOf = (line: CaptureLine, column: OutputColumn) => string | number

/** Gives numbers for numeric fields that are known, and texts for all others. */
export const typed: ValueOf = (line, column) => {
  const text = line.field(column)
  return numbers.has(column) && /^\d{1,15}$/.test(text) ? Number(text) : text
}

export const asText: ValueOf = (line, column) => line.field(column)

const numbers: ReadonlySet<OutputColumn> = new Set([
  'time',
  'status',
  'length',
  'offset',
  'originalLength',
  'originalOffset',
])

/** An array of arrays, the names first; empty if there are no lines. */
export const jsonArrays = (fields: readonly Field[], shown: ValueOf): CdxOutput => ({
  ...inArray,
  heading: `${JSON.stringify(fields.map(({ name }) => name))},\n`,
  line: (line) => JSON.stringify(fields.map(({ column }) => shown(line, column))),
})

/** An array of objects. */
export const jsonObjects = (fields: readonly Field[], shown: ValueOf): CdxOutput => ({
  ...inArray,
  line: (line) =>
    JSON.stringify(Object.fromEntries(fields.map(({ name, column }) => [name, shown(line, column)]))),
})

/** A time map (RFC 7089). */
export const linkLines: CdxOutput = {
  ...plain,
  contentType: 'application/link-format',
  separator: ',\n',
  line: (line) =>
    `<${line.field('url').replaceAll('>', '%3E')}>; rel="memento"; datetime="${new Date(millisOf(line.time)).toUTCString()}"`,
  end: () => '',
}

const textsOf = (line: CaptureLine): Readonly<Record<Column, string>> => ({
  key: line.key,
  time: line.time,
  url: line.field('url'),
  mime: line.field('mime'),
  status: line.field('status'),
  digest: line.field('digest'),
  redirect: line.field('redirect'),
  flags: line.field('flags'),
  length: line.field('length'),
  offset: line.field('offset'),
  file: line.field('file'),
  originalLength: line.field('originalLength'),
  originalOffset: line.field('originalOffset'),
  originalFile: line.field('originalFile'),
})
