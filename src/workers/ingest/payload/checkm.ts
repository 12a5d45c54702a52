import { type DigestAlgorithm, digestAlgorithm, digestDigits } from '../../runtime/digests.ts'
import { type TextLine, textLines } from './text-lines.ts'

/*
 * Checkm 0.7 as Merritt's profiles use it (reference ingest §2.4): a header of `#%` lines, a row a line with its fields
 * parted by `|`, and `#%eof` at the end.
 */

/** What the rows of a manifest are: files of one object, or one object each. */
export type ManifestKind = 'object' | 'batch' | 'container-batch' | 'single-file-batch'

const profiles: Readonly<Record<ManifestKind, string>> = {
  object: 'mrt-ingest-manifest',
  batch: 'mrt-batch-manifest',
  'container-batch': 'mrt-container-batch-manifest',
  'single-file-batch': 'mrt-single-file-batch-manifest',
}

export interface ManifestRow {
  /** Line in the manifest, from 1. */
  readonly line: number
  readonly url: string
  /** Lower-case hex; absent where the row has not both, algorithm and value. */
  readonly digest?: { readonly algorithm: DigestAlgorithm; readonly value: string }
  /** Bytes. */
  readonly size?: number
  readonly name?: string
  readonly mimeType?: string
  readonly primary?: string
  readonly localIds: readonly string[]
  readonly creator?: string
  readonly title?: string
  readonly date?: string
}

/** It cannot be used, in no part (ingest X4–X7): the message names the line and what it lacks. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest'
}

type Column =
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

const ofFiles: readonly Column[] = [
  'fileUrl',
  'hashAlgorithm',
  'hashValue',
  'fileSize',
  'fileLastModified',
  'fileName',
]
const ofObjects: readonly Column[] = [
  ...ofFiles,
  'primaryIdentifier',
  'localIdentifier',
  'creator',
  'title',
  'date',
]
const usualColumns = (kind: ManifestKind): readonly Column[] =>
  kind === 'object' ? [...ofFiles, 'mimeType'] : ofObjects

/** As people write them, whatever stands before the colon and in whatever case. */
const columnNames: ReadonlyMap<string, Column> = new Map([
  ...[...ofObjects, 'mimeType' as const].map((column) => [column.toLowerCase(), column] as const),
  ['filecreated', 'fileLastModified'],
])

export interface Manifest {
  readonly kind: ManifestKind
  /** Throws `InvalidManifest` as soon as a line cannot be used, and where the end is missing. */
  readonly rows: AsyncIterable<ManifestRow>
}

/**
 * Reads the header, and then row by row in the memory of one line. Throws `InvalidManifest` where it is no manifest of one
 * of these kinds. The header's columns are honoured (ingest X7).
 */
export const readManifest = async (
  bytes: AsyncIterable<Uint8Array>,
  kinds: readonly ManifestKind[],
): Promise<Manifest> => {
  const lines = textLines(bytes)
  const header = await readHeader(lines)
  const kind = kinds.find((one) => header.profile?.endsWith(profiles[one]))
  const wanted = kinds.map((one) => profiles[one]).join(' or ')
  if (header.profile === undefined) throw new InvalidManifest(`it has no line "#%profile | …${wanted}"`)
  if (kind === undefined)
    throw new InvalidManifest(`its profile is ${header.profile}; wants one that ends with ${wanted}`)
  const columns = header.columns ?? usualColumns(kind)
  return { kind, rows: readRows(lines, header.first, columns, kind) }
}

/** The kind that the beginning of a text declares; undefined where it is no manifest. */
export const kindOfManifest = (beginning: string): ManifestKind | undefined => {
  const profile = beginning
    .split(/\r?\n/)
    .map(directiveOf)
    .find((one) => one?.name === 'profile')
  return (Object.keys(profiles) as ManifestKind[]).find((kind) => profile?.value.endsWith(profiles[kind]))
}

interface Header {
  readonly profile?: string
  readonly columns?: readonly Column[]
  /** The line behind it, which was read already. */
  readonly first: TextLine | undefined
}

interface Directive {
  readonly name: string
  readonly value: string
}

/** `#%profile | …`; some tools leave out the bar. */
const directiveOf = (text: string): Directive | undefined => {
  const [, name, value = ''] =
    /^#%(\S+?)(?:[ \t]*\|[ \t]*|[ \t]+|$)(.*)$/.exec(text.replace(/^\uFEFF/, '')) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), value: value.trim() }
}

const readHeader = async (lines: AsyncGenerator<TextLine>): Promise<Header> => {
  let header: Omit<Header, 'first'> = {}
  for (;;) {
    const next = await lines.next()
    if (next.done) return { ...header, first: undefined }
    const text = textOf(next.value)
    const directive = directiveOf(text)
    if (directive?.name === 'eof' || !isSkipped(text)) return { ...header, first: next.value }
    if (directive?.name === 'profile') header = { ...header, profile: directive.value }
    if (directive?.name === 'fields' || directive?.name === 'columns')
      header = { ...header, columns: columnsOf(directive.value, next.value.number) }
  }
}

const columnsOf = (value: string, line: number): readonly Column[] => {
  const columns = value
    .split(/[|\s]+/)
    .filter(Boolean)
    .map((name) => {
      const column = columnNames.get(name.replace(/^.*[:#/]/, '').toLowerCase())
      if (!column)
        throw new InvalidManifest(
          `line ${line}: there is no field ${name}; there are ${ofObjects.join(', ')}, mimeType`,
        )
      return column
    })
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice) throw new InvalidManifest(`line ${line}: the field ${twice} is named twice`)
  if (!columns.includes('fileUrl')) throw new InvalidManifest(`line ${line}: the fields lack fileUrl`)
  return columns
}

async function* readRows(
  lines: AsyncGenerator<TextLine>,
  first: TextLine | undefined,
  columns: readonly Column[],
  kind: ManifestKind,
): AsyncGenerator<ManifestRow> {
  let ended: number | undefined
  for await (const line of withFirst(first, lines)) {
    const text = textOf(line)
    if (text.trim() === '') continue
    if (ended !== undefined)
      throw new InvalidManifest(
        `line ${line.number} stands behind "#%eof" in line ${ended}: put it before, or take it out`,
      )
    if (directiveOf(text)?.name === 'eof') ended = line.number
    else if (!text.startsWith('#')) yield rowOf(text, line.number, columns, kind)
  }
  if (ended === undefined)
    throw new InvalidManifest('it does not end with "#%eof": a part of it may be missing; send it whole')
}

async function* withFirst(
  first: TextLine | undefined,
  rest: AsyncIterable<TextLine>,
): AsyncGenerator<TextLine> {
  if (first) yield first
  yield* rest
}

const textOf = ({ number, text }: TextLine): string => {
  if (text === undefined) throw new InvalidManifest(`line ${number} is too long, or no UTF-8 text`)
  return text
}

const isSkipped = (text: string): boolean => text.startsWith('#') || text.trim() === ''

const rowOf = (text: string, line: number, columns: readonly Column[], kind: ManifestKind): ManifestRow => {
  const fields = text.split('|').map((field) => field.trim())
  const raw = (column: Column): string | undefined => fields[columns.indexOf(column)] || undefined
  const value = (column: Column): string | undefined =>
    raw(column)?.replaceAll('%20', ' ').replaceAll(/%7c/gi, '|')
  const wrong = (reason: string) => new InvalidManifest(`line ${line}: ${reason}`)

  const url = raw('fileUrl')
  if (url === undefined) throw wrong('it has no fileUrl')
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url) || !URL.canParse(url)) throw wrong(`fileUrl ${url} is no URL`)
  const size = value('fileSize')
  if (size !== undefined && !(/^\d+$/.test(size) && Number.isSafeInteger(Number(size))))
    throw wrong(`fileSize ${size} is no number of bytes`)
  const digest = digestOf(value('hashAlgorithm'), value('hashValue'), wrong)
  const name =
    value('fileName') ?? (kind === 'object' || kind === 'single-file-batch' ? nameIn(url) : undefined)
  if (kind === 'object' && name === undefined) throw wrong(`it has no fileName, and ${url} has none either`)
  const given = Object.entries({
    digest,
    name,
    size: size === undefined ? undefined : Number(size),
    mimeType: value('mimeType'),
    primary: value('primaryIdentifier'),
    creator: value('creator'),
    title: value('title'),
    date: value('date'),
  }).filter(([, one]) => one !== undefined)
  return { line, url, localIds: localIdsIn(value('localIdentifier')), ...Object.fromEntries(given) }
}

/** Both are needed for one. Throws what `wrong` makes of the reason. */
export const digestOf = (
  algorithm: string | undefined,
  value: string | undefined,
  wrong: (reason: string) => Error,
): ManifestRow['digest'] => {
  if (algorithm === undefined || value === undefined) return undefined
  const name = digestAlgorithm(algorithm)
  if (name === undefined)
    throw wrong(`hashAlgorithm ${algorithm} is not known; there are ${Object.keys(digestDigits).join(', ')}`)
  const hex = value.toLowerCase()
  if (hex.length !== digestDigits[name] || !/^[0-9a-f]+$/.test(hex))
    throw wrong(`hashValue ${value} is no ${name} digest`)
  return { algorithm: name, value: hex }
}

/** `a; b;a` → a, b (reference ingest §2.3). */
export const localIdsIn = (text: string | undefined): readonly string[] => [
  ...new Set(
    (text ?? '')
      .split(';')
      .map((id) => id.trim())
      .filter(Boolean),
  ),
]

/** The last segment of the address's path. */
export const nameIn = (url: string): string | undefined => {
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || undefined
  } catch {
    return segment
  }
}

const header = (kind: ManifestKind, columns: readonly Column[]): string =>
  [
    '#%checkm_0.7',
    `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profiles[kind]}`,
    '#%prefix | mrt: | http://merritt.cdlib.org/terms#',
    '#%prefix | nfo: | http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#',
    `#%fields | ${columns.map((column) => (ofFiles.includes(column) ? `nfo:${column}` : `mrt:${column}`)).join(' | ')}`,
    '',
  ].join('\n')

/** An object manifest, which this reader and others of the format take. */
export function* writeManifest(rows: Iterable<Omit<ManifestRow, 'line' | 'localIds'>>): Generator<string> {
  yield header('object', usualColumns('object'))
  for (const { url, digest, size, name, mimeType } of rows) {
    const fields = [digest?.algorithm, digest?.value, size?.toString(), '', name, mimeType].map(escapeField)
    yield `${[url, ...fields].join(' | ')}\n`
  }
  yield '#%eof\n'
}

const escapeField = (text = ''): string =>
  text.replaceAll('|', '%7c').replace(/^ +| +$/g, (blanks) => '%20'.repeat(blanks.length))
