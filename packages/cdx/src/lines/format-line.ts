import type { Capture } from '../capture.ts'
import { urlWithQuery } from '../request/request-url.ts'
import { bytesOf, escaped } from '../surt/percent.ts'
import { surt } from '../surt.ts'
import { cdxjLine } from './cdxj.ts'
import type { Column } from './columns.ts'
import { type CdxFormat, columnsOf } from './formats.ts'

/** Formats a line, without its end, for UTF-8. Escapes texts to tokens, since CDX has no quotes. */
export const formatLine = (format: CdxFormat, capture: Capture, key: string = keyOf(capture)): string => {
  if (format === 'cdx-11') {
    const line = lineOf(key, capture)
    if (usual.test(line)) return line
  }
  const texts = textsOf(capture, key)
  if (format === 'cdxj') return cdxjLine(texts, capture.request)
  // A brace behind key and time would begin CDXJ.
  const plain = { ...texts, url: texts.url.replace(/^\{/, '%7B') }
  return columnsOf(format)
    .map((column) => plain[column])
    .join(' ')
}

/** The key of a capture: of its URL, and of what was sent to it. */
export const keyOf = ({ url, request }: Capture): string =>
  surt(request ? urlWithQuery(url, request.method, request.body) : url)

/** Formats CDX-11 from texts that are tokens already. */
const lineOf = (key: string, c: Capture): string =>
  `${key} ${c.time} ${c.url} ${c.mime} ${c.status} ${c.digest} ${c.redirect} ${c.flags} ${c.length} ${c.offset} ${c.file}`

/** Eleven tokens, a URL that is not JSON, a media type without parameters: each text was a token. */
const usual = /^[!-~]+ [!-~]+ [!-z|-~][!-~]* [!-:<-~]+(?: [!-~]+){4} \d+ \d+ [!-~]+$/

const textsOf = (capture: Capture, key: string): Readonly<Record<Column, string>> => ({
  key: tokenOf(key),
  time: tokenOf(capture.time),
  url: tokenOf(capture.url),
  mime: mimeOf(capture),
  status: tokenOf(capture.status),
  digest: tokenOf(capture.digest),
  redirect: tokenOf(capture.redirect),
  flags: tokenOf(capture.flags),
  length: numeral(capture.length),
  offset: numeral(capture.offset),
  file: fileToken(capture.file),
  originalLength: numeral(capture.original?.length ?? -1),
  originalOffset: numeral(capture.original?.offset ?? -1),
  originalFile: fileToken(capture.original?.file ?? ''),
})

/** Escapes blanks and control characters; '-' for an empty text. */
export const tokenOf = (text: string): string =>
  text === '' ? '-' : isPlain.test(text) ? text : text.replace(noToken, escapeOf)

/** A file's name. The percent signs of a name that has blanks are escaped, too, as in a URL. */
export const fileToken = (name: string): string =>
  tokenOf(/\s/.test(name) ? name.replaceAll('%', '%25') : name)

const isPlain = /^[\x21-\x7e]+$/
const noToken = /[\s\p{Cc}\p{Cs}]/gu
const escapeOf = (character: string): string => escaped(bytesOf(character))

/** The media type without its parameters. */
const mimeOf = ({ mime }: Capture): string => tokenOf(mime.trim().split(endOfMime, 1)[0] ?? '')

const endOfMime = /[;\s\p{Cc}]/u

const numeral = (number: number): string => (number < 0 ? '-' : String(number))
