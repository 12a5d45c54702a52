import { base32 } from '@fonds/warc'

/* Fields of an index are separated by blanks: each is one token of printable ASCII. */

const printable = /^[\x21-\x7e]+$/

/**
 * Encodes a URL whose bytes were read as Latin-1: every byte outside printable ASCII is percent-encoded. Angle brackets
 * around it, as Wget 1.19 wrote them, are removed.
 */
export const urlToken = (raw: string): string => {
  const url = raw.startsWith('<') && raw.endsWith('>') ? raw.slice(1, -1) : raw
  return encoded(url)
}

const encoded = (text: string): string =>
  printable.test(text) ? text : text.replaceAll(/[^\x21-\x7e]/g, encodeByte)

const encodeByte = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Returns a media type without its parameters and without the quotes that some servers write; '-' if there is none. */
export const mimeToken = (field: string | undefined): string => {
  const type = field === undefined ? undefined : mediaType.exec(field)?.[1]
  return type === undefined ? '-' : encoded(type)
}

/** Up to a comma, a semicolon, a blank or a control character. */
const mediaType = /^"?([!#-+\--:<-\xff]+)/

/** The form of nearly every field in WARC files. */
const usualDigest = /^sha1:[A-Z2-7]{32}$/

/**
 * Returns the digest as an index has it: a SHA-1 without its prefix, in base 32, however the field writes it. Undefined
 * if the field has none.
 */
export const digestToken = (field: string | undefined): string | undefined => {
  if (field !== undefined && usualDigest.test(field)) return field.slice(5)
  const value = field?.replace(/^sha-?1:/i, '')
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value) || value === '-') return undefined
  if (value === field && !/^[A-Z2-7]{32}$/i.test(value)) return value
  if (/^[0-9a-f]{40}$/i.test(value)) return base32(Buffer.from(value, 'hex'))
  return /^[A-Z2-7]{32}=*$/i.test(value) ? value.slice(0, 32).toUpperCase() : undefined
}
