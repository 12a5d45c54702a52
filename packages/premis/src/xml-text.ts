/* Text of XML 1.0. A character that no document may hold, as a control character of a file name, is written as \u{…}. */

// Lone surrogates, controls but tab and line ends, and the two that are no characters.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** DEL and the controls behind it are allowed; a terminal would obey them where they stand as they are. */
const controls = /[\u{7F}-\u{9F}]/gu
const referred = (text: string): string =>
  text.replace(controls, (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16)};`)

const allowed = (text: string): string =>
  text.replace(forbidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)

export const xmlText = (text: string): string =>
  referred(allowed(text).replace(/[&<>\r]/g, (c) => escapes[c] ?? c))

const xmlValue = (text: string): string =>
  referred(allowed(text).replace(/[&<>"\r\n\t]/g, (c) => escapes[c] ?? c))

/** Attributes that are undefined are left out. */
export const attributes = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlValue(value)}"`))
    .join('')
