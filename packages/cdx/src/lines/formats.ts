import { type Column, layouts } from './columns.ts'

/** Formats of the lines of an index; CDX-11 is the default. */
export const cdxFormats = ['cdx-11', 'cdx-9', 'cdx-14', 'cdxj'] as const
export type CdxFormat = (typeof cdxFormats)[number]

const letters: Readonly<Record<Column, string>> = {
  key: 'N',
  time: 'b',
  url: 'a',
  mime: 'm',
  status: 's',
  digest: 'k',
  redirect: 'r',
  flags: 'M',
  length: 'S',
  offset: 'V',
  file: 'g',
  originalLength: 'S',
  originalOffset: 'V',
  originalFile: 'g',
}

const counts: Readonly<Record<Exclude<CdxFormat, 'cdxj'>, number>> = {
  'cdx-9': 9,
  'cdx-11': 11,
  'cdx-14': 14,
}

export const columnsOf = (format: Exclude<CdxFormat, 'cdxj'>): readonly Column[] =>
  layouts.get(counts[format]) ?? []

/** The line that names the columns; it is the first of a sorted file. CDXJ has none. */
export const headerOf = (format: CdxFormat): string | undefined =>
  format === 'cdxj'
    ? undefined
    : ` CDX ${columnsOf(format)
        .map((column) => letters[column])
        .join(' ')}`

/** CDXJ files of some programs begin with lines such as `!meta …`. */
export const isHeader = (line: string): boolean => line.startsWith(' CDX') || commentary.test(line)

const commentary = /^![a-z][\w-]* /i
