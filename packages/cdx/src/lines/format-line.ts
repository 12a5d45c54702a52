import type { Capture } from '../capture.ts'
import { bytesOf, escaped } from '../surt/percent.ts'
import { surt } from '../surt.ts'
import { cdxjLine } from './cdxj.ts'
import type { Column } from './columns.ts'
import { type CdxFormat, columnsOf } from './formats.ts'

/** A line of the index, without its end; bytes of it are UTF-8. What is no token is made one: CDX knows no quotes. */
export const formatLine = (format: CdxFormat, capture: Capture, key: string = surt(capture.url)): string => {
  if (format === 'cdx-11') {
    const line = lineOf(key, capture)
    if (usual.test(line)) return line
  }
  const texts = textsOf(capture, key)
  if (format === 'cdxj') return cdxjLine(texts)
  // Behind key and time a brace is the beginning of CDXJ.
  const plain = { ...texts, url: texts.url.replace(/^\{/, '%7B') }
  return columnsOf(format)
    .map((column) => plain[column])
    .join(' ')
}

/** CDX-11 of texts that are tokens as they are. */
const lineOf = (key: string, c: Capture): string =>
  `${key} ${c.time} ${c.url} ${c.mime} ${c.status} ${c.digest} ${c.redirect} ${c.flags} ${c.length} ${c.offset} ${c.file}`

/** Eleven tokens, an address that is no JSON, and a media type without parameters: each text was one. */
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
  file: tokenOf(capture.file),
  originalLength: numeral(capture.original?.length ?? -1),
  originalOffset: numeral(capture.original?.offset ?? -1),
  originalFile: tokenOf(capture.original?.file ?? ''),
})

/** Blanks and control characters escaped; '-' where nothing is said. */
export const tokenOf = (text: string): string =>
  text === '' ? '-' : isPlain.test(text) ? text : text.replace(noToken, escapeOf)

const isPlain = /^[\x21-\x7e]+$/
const noToken = /[\s\p{Cc}\p{Cs}]/gu
const escapeOf = (character: string): string => escaped(bytesOf(character))

/** Without its parameters. */
const mimeOf = ({ mime }: Capture): string => tokenOf(mime.trim().split(endOfMime, 1)[0] ?? '')

const endOfMime = /[;\s\p{Cc}]/u

const numeral = (number: number): string => (number < 0 ? '-' : String(number))
