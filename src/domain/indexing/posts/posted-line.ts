import {
  type Capture,
  type CdxLine,
  createLineReader,
  formatLine,
  keyOf as keyOfCapture,
  surt,
  surtWithQuery,
  tokenOf,
} from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/**
 * Reads the lines of one post as the index keeps them: CDX with the columns that its headers name, else with 9 to 14 fields, or CDXJ. They
 * have one form for all that say the same, so that a line is deleted in whatever form it comes.
 *
 * `alsoFormer`: a line of a request comes with the one that it was before its key got our order and case, behind a line end.
 */
export const postedLines = (alsoFormer = false): PostedLines => {
  const reader = createLineReader(['time', 'url', 'offset', 'file'])
  return {
    read: (line) => {
      if (line.startsWith('@alias ')) return E.left('aliases are not offered')
      const parsed = reader.read(line.endsWith('\r') ? line.slice(0, -1) : line)
      return parsed && pipe(parsed, E.chain(alsoFormer ? keptAndFormer : kept))
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
  return E.right(
    formatLine(capture.original ? 'cdx-14' : 'cdx-11', { ...capture, url }, keyOf(key, { ...capture, url })),
  )
}

const keptAndFormer = (line: CdxLine): E.Either<string, string> =>
  pipe(
    kept(line),
    E.map((now) => {
      const key = now.slice(0, now.indexOf(' '))
      const isSame = line.key === key || !isOfRequest.test(line.key) || isOfRequest.test(line.capture.url)
      return isSame ? now : `${now}\n${tokenOf(line.key)}${now.slice(key.length)}`
    }),
  )

/**
 * As everywhere in the index. What was sent to a URL is in a member of CDXJ, or in the key that another program made, whose parameters
 * get the order and the case of ours.
 */
const keyOf = (key: string, capture: Capture): string => {
  if (isOfRequest.test(capture.url)) return surt(capture.url)
  if (capture.request) return keyOfCapture(capture)
  return isOfRequest.test(key)
    ? surtWithQuery(capture.url, key.slice(key.indexOf('?') + 1))
    : surt(capture.url)
}

const isOfRequest = /[?&]__wb_method=/
