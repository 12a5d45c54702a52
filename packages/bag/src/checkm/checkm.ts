import { type TextLine, textLines } from '@fonds/bytes'
import { type DigestAlgorithm, digestAlgorithm, digestDigits, isAlgorithmName } from '@fonds/digests'
import { given } from './given.ts'

/*
 * Checkm 0.7 as text: a header of `#%` lines, one line per row with fields separated by `|`, and `#%eof` at
 * the end.
 */

/** The manifest cannot be used at all: the message names the line and its fault. */
export class InvalidCheckm extends Error {
  override readonly name = 'InvalidCheckm'
}

export type CheckmColumn =
  | 'fileUrl'
  | 'hashAlgorithm'
  | 'hashValue'
  | 'fileSize'
  | 'fileLastModified'
  | 'fileName'
  | 'mimeType'
  | 'primaryIdentifier'
  | 'localIdentifier'
  | 'creator'
  | 'title'
  | 'date'

export const fileColumns: readonly CheckmColumn[] = [
  'fileUrl',
  'hashAlgorithm',
  'hashValue',
  'fileSize',
  'fileLastModified',
  'fileName',
]
export const objectColumns: readonly CheckmColumn[] = [
  ...fileColumns,
  'primaryIdentifier',
  'localIdentifier',
  'creator',
  'title',
  'date',
]

/** By lower-case name, without prefix. */
const columnNames: ReadonlyMap<string, CheckmColumn> = new Map([
  ...[...objectColumns, 'mimeType' as const].map((column) => [column.toLowerCase(), column] as const),
  ['filecreated', 'fileLastModified'],
])

export interface CheckmText {
  readonly profile: string | undefined
  readonly columns: readonly CheckmColumn[] | undefined
  /** To be read once. Throws `InvalidCheckm` at the first invalid line, and if the end is missing. */
  readonly rows: (columns: readonly CheckmColumn[]) => AsyncIterable<CheckmRow>
}

export interface CheckmRow {
  /** In the manifest, from 1. */
  readonly line: number
  /** As written in the manifest. */
  readonly raw: (column: CheckmColumn) => string | undefined
  /** With blanks and bars unescaped. */
  readonly value: (column: CheckmColumn) => string | undefined
}

/** Reads the header, then row by row in the memory of one line. If it names columns, `needed` is required. */
export const readCheckm = async (
  bytes: AsyncIterable<Uint8Array>,
  needed: CheckmColumn,
): Promise<CheckmText> => {
  const lines = textLines(bytes)
  const { profile, columns, first } = await readHeader(lines, needed)
  return { profile, columns, rows: (used) => readRows(lines, first, used) }
}

interface Header {
  readonly profile?: string
  readonly columns?: readonly CheckmColumn[]
  /** The line behind the header, which was already read. */
  readonly first: TextLine | undefined
}

interface Directive {
  readonly name: string
  readonly value: string
}

/** `#%profile | …`; some tools leave out the bar. */
export const directiveOf = (text: string): Directive | undefined => {
  const [, name, value = ''] = /^#%(\S+?)(?:[ \t]*\|[ \t]*|[ \t]+|$)(.*)$/.exec(text) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), value: value.trim() }
}

const readHeader = async (lines: AsyncGenerator<TextLine>, needed: CheckmColumn): Promise<Header> => {
  let header: Omit<Header, 'first'> = {}
  for (;;) {
    const next = await lines.next()
    if (next.done) return { ...header, first: undefined }
    const text = textOf(next.value)
    const directive = directiveOf(text)
    if (directive?.name === 'eof' || !isSkipped(text)) return { ...header, first: next.value }
    if (directive?.name === 'profile') header = { ...header, profile: directive.value }
    if (directive?.name === 'fields' || directive?.name === 'columns')
      header = { ...header, columns: columnsOf(directive.value, next.value.number, needed) }
  }
}

const columnsOf = (value: string, line: number, needed: CheckmColumn): readonly CheckmColumn[] => {
  const columns = value
    .split(/[|\s]+/)
    .filter(Boolean)
    .map((name) => {
      const column = columnNames.get(name.replace(/^.*[:#/]/, '').toLowerCase())
      if (!column)
        throw new InvalidCheckm(
          `line ${line}: there is no field ${name}; there are ${objectColumns.join(', ')}, mimeType`,
        )
      return column
    })
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice) throw new InvalidCheckm(`line ${line}: the field ${twice} is named twice`)
  if (!columns.includes(needed)) throw new InvalidCheckm(`line ${line}: the fields lack ${needed}`)
  return columns
}

async function* readRows(
  lines: AsyncGenerator<TextLine>,
  first: TextLine | undefined,
  columns: readonly CheckmColumn[],
): AsyncGenerator<CheckmRow> {
  let ended: number | undefined
  for await (const line of withFirst(first, lines)) {
    const text = textOf(line)
    if (text.trim() === '') continue
    if (ended !== undefined)
      throw new InvalidCheckm(
        `line ${line.number} stands behind "#%eof" in line ${ended}: put it before, or take it out`,
      )
    if (directiveOf(text)?.name === 'eof') ended = line.number
    else if (!text.startsWith('#')) yield rowOf(text, line.number, columns)
  }
  if (ended === undefined)
    throw new InvalidCheckm('it does not end with "#%eof": a part of it may be missing; send it whole')
}

async function* withFirst(
  first: TextLine | undefined,
  rest: AsyncIterable<TextLine>,
): AsyncGenerator<TextLine> {
  if (first) yield first
  yield* rest
}

const textOf = ({ number, text }: TextLine): string => {
  if (text === undefined) throw new InvalidCheckm(`line ${number} is too long, or no UTF-8 text`)
  return text
}

const isSkipped = (text: string): boolean => text.startsWith('#') || text.trim() === ''

const rowOf = (text: string, line: number, columns: readonly CheckmColumn[]): CheckmRow => {
  const fields = text.split('|').map((field) => field.trim())
  const raw = (column: CheckmColumn): string | undefined => fields[columns.indexOf(column)] || undefined
  const value = (column: CheckmColumn): string | undefined =>
    raw(column)?.replaceAll('%20', ' ').replaceAll(/%7c/gi, '|')
  return { line, raw, value }
}

export interface AnnouncedDigest {
  readonly algorithm: DigestAlgorithm
  /** Lower-case hex. */
  readonly value: string
}

/**
 * Reads a digest from its two fields; undefined unless both exist. Throws the error that `wrong` makes of the
 * reason.
 */
export const announcedDigest = (
  algorithm: string | undefined,
  value: string | undefined,
  wrong: (reason: string) => Error,
): AnnouncedDigest | undefined => {
  if (algorithm === undefined || value === undefined) return undefined
  const name = digestAlgorithm(algorithm, value.length)
  if (name === undefined && !isAlgorithmName(algorithm))
    throw wrong(`hashAlgorithm ${algorithm} is not known; there are ${Object.keys(digestDigits).join(', ')}`)
  const hex = value.toLowerCase()
  if (name === undefined || hex.length !== digestDigits[name] || !/^[0-9a-f]+$/.test(hex))
    throw wrong(`hashValue ${value} is no ${name ?? algorithm} digest`)
  return { algorithm: name, value: hex }
}

/** Fields of a row that describe a file; empty ones are absent. */
export interface CheckmFile {
  /** Absent unless the row has both, algorithm and value. */
  readonly digest?: AnnouncedDigest
  /** Bytes. */
  readonly size?: number
  readonly name?: string
  readonly mimeType?: string
  readonly lastModified?: string
}

/** Reads the fields that describe a file. Throws `InvalidCheckm`. */
export const checkmFileOf = ({ line, value }: CheckmRow): CheckmFile => {
  const wrong = (reason: string) => new InvalidCheckm(`line ${line}: ${reason}`)
  const size = value('fileSize')
  if (size !== undefined && !(/^\d+$/.test(size) && Number.isSafeInteger(Number(size))))
    throw wrong(`fileSize ${size} is no number of bytes`)
  return given({
    digest: announcedDigest(value('hashAlgorithm'), value('hashValue'), wrong),
    name: value('fileName'),
    size: size === undefined ? undefined : Number(size),
    mimeType: value('mimeType'),
    lastModified: value('fileLastModified'),
  })
}
