import { timestampOfDigits } from './timestamps.ts'

/** Fields of the line that a record of ARC begins with, as they are in the file. */
export interface ArcLine {
  readonly url: string
  /** The date as 14 digits. */
  readonly time: string
  readonly contentType: string | undefined
  /** The text of the length, which may be no number. */
  readonly length: string
}

export type ArcVersion = 1 | 2

/**
 * Reads the line of a record, without its line end. Fields are separated by blanks: 5 of version 1, 10 of
 * version 2. URLs and media types may have blanks themselves, so the date is looked for. A file may lack the
 * record that declares its version, or hold both versions. Undefined if it is no such line.
 */
export const readArcLine = (line: string, version: ArcVersion | undefined): ArcLine | undefined => {
  const fields = line.split(' ')
  const at = version !== 1 && isVersion2(fields, version) ? fields.length - 8 : lastDate(fields)
  const time = at < 2 ? undefined : timestampOfDigits(fields[at] ?? '')
  if (time === undefined) return undefined
  const url = fields.slice(0, at - 1).join(' ')
  return { url, time, contentType: fields[at + 1], length: fields.at(-1) ?? '' }
}

/** Behind the date stand media type, result code, checksum, location, offset, file name and length. */
const isVersion2 = (fields: readonly string[], version: ArcVersion | undefined): boolean =>
  timestampOfDigits(fields.at(-8) ?? '') !== undefined &&
  (version === 2 || (/^(\d{3}|-)$/.test(fields.at(-6) ?? '') && /^\d+$/.test(fields.at(-3) ?? '')))

/** Index of the last date that a media type and a length may follow. */
const lastDate = (fields: readonly string[]): number =>
  fields.findLastIndex((field, i) => i <= fields.length - 3 && timestampOfDigits(field) !== undefined)

/** Bytes that contain the line of nearly any record. */
export const maxArcLine = 16 * 1024

/** Returns true if a text begins with the line of a record of ARC, or of the one that declares the version. */
export const beginsArc = (text: string): boolean => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return false
  if (/^filedesc:/i.test(text)) return true
  const end = text.indexOf('\n')
  const record = end < 0 ? undefined : readArcLine(text.slice(0, end).replace(/\r$/, ''), undefined)
  return record !== undefined && /^-?\d{1,15}$/.test(record.length)
}
