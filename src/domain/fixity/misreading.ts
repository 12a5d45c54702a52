import * as t from 'io-ts'

/*
 * Names of files that an earlier version of Fonds read wrongly in what other programs write: an item of such a name
 * never existed, and is found missing.
 */

/** How a name was misread. */
export const Misreading = t.keyof(
  {
    /** Lines that end with CR were read as one line. */
    'cr-line-ends': null,
    /** `\` was kept, which Windows writes for `/`. */
    'backslash-name': null,
    /** The byte order mark of a text was kept. */
    bom: null,
    /** A percent sign was decoded, or not. */
    percent: null,
    /** The digest alone in `film.md5` was taken for that of `film`. */
    'lone-digest': null,
  },
  'misreading',
)
export type Misreading = t.TypeOf<typeof Misreading>

export interface Candidate {
  readonly misread: Misreading
  /** Name of the file that was meant. */
  readonly file: string
}

/** Other readings of a name, the file of which must be there. A lone digest is found otherwise: see `loneStem`. */
export const otherReadings = (path: string): readonly Candidate[] =>
  [
    ...crReadings(path),
    { misread: 'backslash-name', file: path.replaceAll('\\', '/').replace(/(^|\/)(\.\/)+/g, '$1') } as const,
    { misread: 'bom', file: path.replaceAll('\uFEFF', '') } as const,
    ...percentReadings(path),
  ].filter(({ file }) => file !== path && file !== '')

/** `a.txt\r<digest>  b.txt\r`: the first name stands before the first CR. */
const crReadings = (path: string): readonly Candidate[] => {
  const end = path.indexOf('\r')
  return end < 0 ? [] : [{ misread: 'cr-line-ends', file: path.slice(0, end) }]
}

const percentReadings = (path: string): readonly Candidate[] =>
  [
    decoded(path),
    path.replaceAll('%', '%25'),
    encodedEnds(path),
    encodedEnds(path.replaceAll('%', '%25')),
  ].map((file) => ({ misread: 'percent', file }))

const decoded = (path: string): string =>
  path.replace(/%(25|0A|0D)/gi, (coded) => String.fromCharCode(Number.parseInt(coded.slice(1), 16)))

const encodedEnds = (path: string): string => path.replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Beginning of the names that a lone digest may be of: `film.` of `film`. */
export const loneStem = (path: string): string => `${path}.`
