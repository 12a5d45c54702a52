import { createLineSplitter } from '@fonds/bytes'
import {
  type CheckmColumn,
  type CheckmFile,
  type CheckmRow,
  checkmFileOf,
  directiveOf,
  fileColumns,
  InvalidCheckm,
  objectColumns,
  readCheckm,
} from './checkm.ts'
import { given } from './given.ts'

/* Manifests of objects and batches, as the profiles of UC3's Merritt have them. */

/** Rows of a manifest are files of one object, or one object each. */
export type MerrittKind = 'object' | 'batch' | 'container-batch' | 'single-file-batch'

const profiles: Readonly<Record<MerrittKind, string>> = {
  object: 'mrt-ingest-manifest',
  batch: 'mrt-batch-manifest',
  'container-batch': 'mrt-container-batch-manifest',
  'single-file-batch': 'mrt-single-file-batch-manifest',
}

export interface MerrittRow extends CheckmFile {
  /** Line in the manifest, from 1. */
  readonly line: number
  readonly url: string
  readonly primary?: string
  readonly localIds: readonly string[]
  readonly creator?: string
  readonly title?: string
  readonly date?: string
}

const usualColumns = (kind: MerrittKind): readonly CheckmColumn[] =>
  kind === 'object' ? [...fileColumns, 'mimeType'] : objectColumns

type WhyNotUrl = (url: string) => string | undefined

export interface MerrittManifest {
  readonly kind: MerrittKind
  /** Throws `InvalidCheckm` at the first invalid line, and if the end is missing. */
  readonly rows: AsyncIterable<MerrittRow>
}

/**
 * Reads the header, then row by row in the memory of one line. Throws `InvalidCheckm` if it is not a manifest
 * of one of these kinds. Columns are read in the order of the header. `whyNotUrl` may refuse a URL: its
 * result continues "fileUrl".
 */
export const readMerrittManifest = async (
  bytes: AsyncIterable<Uint8Array>,
  kinds: readonly MerrittKind[],
  whyNotUrl: WhyNotUrl = () => undefined,
): Promise<MerrittManifest> => {
  const { profile, columns, rows } = await readCheckm(bytes, 'fileUrl')
  const kind = kinds.find((one) => profile?.endsWith(profiles[one]))
  const wanted = kinds.map((one) => profiles[one]).join(' or ')
  if (profile === undefined) throw new InvalidCheckm(`it has no line "#%profile | …${wanted}"`)
  if (kind === undefined)
    throw new InvalidCheckm(`its profile is ${profile}; wants one that ends with ${wanted}`)
  return { kind, rows: manifestRows(rows(columns ?? usualColumns(kind)), kind, whyNotUrl) }
}

async function* manifestRows(
  rows: AsyncIterable<CheckmRow>,
  kind: MerrittKind,
  whyNotUrl: WhyNotUrl,
): AsyncGenerator<MerrittRow> {
  for await (const row of rows) yield rowOf(row, kind, whyNotUrl)
}

/** The kind that the first lines of a file declare; undefined if it is not a manifest. */
export const merrittKindOf = (beginning: Uint8Array): MerrittKind | undefined => {
  const profile = firstLines(beginning)
    .map(directiveOf)
    .find((one) => one?.name === 'profile')
  return (Object.keys(profiles) as MerrittKind[]).find((kind) => profile?.value.endsWith(profiles[kind]))
}

/** A file that is no text has none. */
const firstLines = (beginning: Uint8Array): readonly string[] => {
  const lines = createLineSplitter()
  try {
    return [...lines.push(beginning), ...lines.end()].flatMap(({ text }) => text ?? [])
  } catch {
    return []
  }
}

const rowOf = (row: CheckmRow, kind: MerrittKind, whyNotUrl: WhyNotUrl): MerrittRow => {
  const { line, raw, value } = row
  const wrong = (reason: string) => new InvalidCheckm(`line ${line}: ${reason}`)
  const url = raw('fileUrl')
  if (url === undefined) throw wrong('it has no fileUrl')
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url) || !URL.canParse(url)) throw wrong(`fileUrl ${url} is no URL`)
  const why = whyNotUrl(url)
  if (why) throw wrong(`fileUrl ${why}`)
  const file = checkmFileOf(row)
  const isNamed = kind === 'object' || kind === 'single-file-batch'
  const name = file.name ?? (isNamed ? fileNameIn(url) : undefined)
  if (kind === 'object' && name === undefined) throw wrong(`it has no fileName, and ${url} has none either`)
  return {
    line,
    url,
    localIds: localIdsIn(value('localIdentifier')),
    ...file,
    ...given({
      name,
      primary: value('primaryIdentifier'),
      creator: value('creator'),
      title: value('title'),
      date: value('date'),
    }),
  }
}

/** `a; b;a` → a, b. */
export const localIdsIn = (text: string | undefined): readonly string[] => [
  ...new Set(
    (text ?? '')
      .split(';')
      .map((id) => id.trim())
      .filter(Boolean),
  ),
]

/**
 * The last segment of the URL's path, decoded; undefined if empty. Keys of buckets (`s3://bucket/key`) have no escapes,
 * no query and no fragment: theirs stands as it is. Throws `TypeError` for an invalid URL.
 */
export const fileNameIn = (url: string): string | undefined => {
  if (/^s3:/i.test(url)) return /^s3:\/\/[^/]*\/(?:.*\/)?([^/]+)$/is.exec(url)?.[1]
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || undefined
  } catch {
    return segment
  }
}

const header = (kind: MerrittKind, columns: readonly CheckmColumn[]): string =>
  [
    '#%checkm_0.7',
    `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profiles[kind]}`,
    '#%prefix | mrt: | http://merritt.cdlib.org/terms#',
    '#%prefix | nfo: | http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#',
    `#%fields | ${columns.map((column) => (fileColumns.includes(column) ? `nfo:${column}` : `mrt:${column}`)).join(' | ')}`,
    '',
  ].join('\n')

/** Writes an object manifest, line by line. */
export function* writeMerrittManifest(
  rows: Iterable<Omit<MerrittRow, 'line' | 'localIds'>>,
): Generator<string> {
  yield header('object', usualColumns('object'))
  for (const { url, digest, size, lastModified, name, mimeType } of rows) {
    const fields = [digest?.algorithm, digest?.value, size?.toString(), lastModified, name, mimeType]
    yield `${[url, ...fields.map(escapeField)].join(' | ')}\n`
  }
  yield '#%eof\n'
}

const escapeField = (text = ''): string =>
  text.replaceAll('|', '%7c').replace(/^ +| +$/g, (blanks) => '%20'.repeat(blanks.length))
