import { type CdxLine, formatLine, parseLine, surt, tokenOf } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/**
 * A line of CDX with 9 to 14 fields, or of CDXJ, as the index keeps it: in one form for all that say the same, so that a line is deleted
 * in whatever form it comes. Left: what is wrong with it.
 */
export const postedLine = (line: string): E.Either<string, string> =>
  line.startsWith('@alias ')
    ? E.left('aliases are not offered')
    : pipe(parseLine(line.endsWith('\r') ? line.slice(0, -1) : line), E.chain(kept))

const kept = ({ key, capture }: CdxLine): E.Either<string, string> => {
  if (capture.url === '-') return E.left('there is no URL')
  // It would be read as CDXJ.
  if (capture.url.startsWith('{')) return E.left(`${capture.url} is no URL`)
  if (capture.file === '-' || capture.offset < 0)
    return E.left(`the line of ${capture.url} does not say where its record lies: file and offset`)
  const url = tokenOf(capture.url)
  return E.right(formatLine(capture.original ? 'cdx-14' : 'cdx-11', { ...capture, url }, keyOf(key, url)))
}

/** As everywhere in the index. What was posted to a URL stands in no other field of the line. */
const keyOf = (key: string, url: string): string =>
  isOfRequest.test(key) && !isOfRequest.test(url) ? key : surt(url)

const isOfRequest = /[?&]__wb_method=/
