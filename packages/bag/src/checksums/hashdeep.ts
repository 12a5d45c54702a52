import { algorithmName } from '@fonds/digests'
import type { InvalidLine } from '../invalid-line.ts'
import { digestLine, type ManifestLine } from './checksum-file.ts'

/* Files of hashdeep and md5deep's family: several digests a line, in columns that a header names. */

/** `hashdeep.txt`, `archive.hashdeep`, … */
export const isHashdeep = (name: string): boolean => /(^|[._-])hashdeep([._-]|$)/i.test(name)

/** True for the beginning of a list that hashdeep wrote, also one that lost its header; other files may have its name. */
export const isHashdeepText = (beginning: Uint8Array): boolean => {
  const text = Buffer.from(beginning).toString('latin1').replaceAll('\0', '')
  return /^(.{0,3}%%%% HASHDEEP|%%%% size,|\d+,[0-9a-f]{32})/m.test(text)
}

/** Creates a parser of the lines of one file: its header names the columns. Names may hold commas. */
export const hashdeepLines = (): ((line: string) => readonly ManifestLine[] | InvalidLine | undefined) => {
  let columns: readonly string[] | undefined
  return (line) => {
    const header = /^%%%% (size,.*filename)\s*$/.exec(line)?.[1]
    if (header !== undefined) columns = header.split(',').slice(1, -1).map(algorithmName)
    if (/^(\s*$|%%%%|#)/.test(line)) return undefined
    if (!columns) return { error: 'is before the header of hashdeep: "%%%% size,md5,sha256,filename"' }
    const [, ...rest] = line.split(',')
    const values = rest.slice(0, columns.length)
    const name = rest.slice(columns.length).join(',')
    if (values.length < columns.length || name === '')
      return { error: `is no line of hashdeep; wants a size, ${columns.join(', ')}, and a name` }
    return columns.map((algorithm, i) => digestLine(algorithm, values[i]!, name))
  }
}
