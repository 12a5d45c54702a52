import { textOf } from '../../utf8.ts'

/*
 * Names are read as latin1, one character a byte: compact, comparable byte by byte with `<`, and nothing is lost.
 */

/** The name as text; undefined where its bytes are no UTF-8. */
export const decodeName = (bytes: string): string | undefined =>
  isAscii(bytes) ? bytes : textOf(Buffer.from(bytes, 'latin1'))

/** The name with every byte outside printable ASCII, and the backslash, as `\xNN`. */
export const escapeBytes = (bytes: string): string =>
  bytes.replaceAll(/[^ -[\]-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
