import { type CdxLine, createLineReader, formatLine, surt, tokenOf } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/**
 * Reads the lines of one post as the index keeps them: CDX with the columns that its headers name, else with 9 to 14 fields, or CDXJ. They
 * have one form for all that say the same, so that a line is deleted in whatever form it comes.
 */
export const postedLines = (): PostedLines => {
  const reader = createLineReader(['time', 'url', 'offset', 'file'])
  return {
    read: (line) => {
      if (line.startsWith('@alias ')) return E.left('aliases are not offered')
      const parsed = reader.read(line.endsWith('\r') ? line.slice(0, -1) : line)
      return parsed && pipe(parsed, E.chain(kept))
    },
  }
}

export interface PostedLines {
  /** Undefined for headers and empty lines. Left: what is wrong with the line. */
  read(line: string): E.Either<string, string> | undefined
}

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
