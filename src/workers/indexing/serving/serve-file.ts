import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Capture } from '@fonds/cdx'
import { recentCache } from '@fonds/toolbox'
import { UnreadableArchive } from '@fonds/warc'
import { identify, type Source } from '@fonds/warc/read'
import * as E from 'fp-ts/lib/Either.js'
import type { Place } from '../../../domain/indexing/place.ts'
import type { ByteRange } from '../../http/serving/byte-range.ts'
import { type FileAnswer, fileAnswer } from '../../http/serving/file-answer.ts'
import { archivesIn } from '../wacz/find-contents.ts'
import { type OpenContent, openPlace, type ServableFile, Unservable } from './open-place.ts'
import { recordAt } from './record-at.ts'
import { TooMuchToExamine } from './sparse-source.ts'

interface FileRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly name: string
  /**
   * Present if there are access rules: says whether the index has a line of the capture that the client may see.
   * Absent: the file is served whole, too.
   */
  readonly accessTo?: ((capture: Capture) => Promise<RecordAccess>) | undefined
}

/** `unseen`: answered as if there were no record. `refused`: the reason, for any client. */
type RecordAccess = 'seen' | 'unseen' | { readonly refused: string }

interface Served extends Pick<FileAnswer, 'status' | 'headers'> {
  readonly body: Readable
}

interface NotServed {
  readonly code: 'unreadable-file' | 'no-such-record' | 'refused-record'
  readonly message: string
}

/**
 * Answers GET or HEAD from the first place at which the file can be read. With access rules, only records that have
 * a line in the index are served, one at a time: nothing else says which bytes may be seen. A client that reads nothing for
 * `stallMillis` of a file on a server gets no more of it.
 */
export const serveFile = async (
  places: readonly Place[],
  request: FileRequest,
  openContent: OpenContent,
  stallMillis: number,
): Promise<E.Either<NotServed, Served>> => {
  const opened = await openFirst(places, openContent, stallMillis)
  if (E.isLeft(opened)) return E.left({ code: 'unreadable-file', message: opened.left })
  const file = opened.right
  const { headers: asked, accessTo, name } = request
  const whole = fileAnswer(asked, file)
  if (!accessTo || !whole.range) return E.right(await served(file, request, whole))
  const range = await rangeOfRecord(file, name, whole, accessTo)
  if (E.isRight(range))
    return E.right(await served(file, request, fileAnswer(withRange(asked, range.right), file)))
  await file.close()
  return range
}

const served = async (file: ServableFile, { method }: FileRequest, answer: FileAnswer): Promise<Served> => {
  const { status, headers, range } = answer
  if (range && method !== 'HEAD') return { status, headers, body: file.bytes(range) }
  await file.close()
  // A stream: for a body in memory, the server would set its own content length.
  return { status, headers, body: Readable.from([]) }
}

/** Returns the requested range, limited to the record that begins there. */
const rangeOfRecord = async (
  file: ServableFile,
  name: string,
  { status, range }: FileAnswer,
  accessTo: (capture: Capture) => Promise<RecordAccess>,
): Promise<E.Either<NotServed, ByteRange>> => {
  const unseen = E.left({ code: 'no-such-record' as const, message: notOneRecord(name) })
  if (status !== 206 || !range) return unseen
  const examined = await file
    .examine(async (source) => E.right(await recordIn(source, name, range.from)))
    .catch((error: unknown) => E.left(whyUnexamined(error, name)))
  if (E.isLeft(examined)) return E.left({ code: 'unreadable-file', message: examined.left })
  const capture = examined.right
  const access = capture ? await accessTo(capture) : 'unseen'
  if (!capture || access === 'unseen') return unseen
  if (access !== 'seen') return E.left({ code: 'refused-record', message: access.refused })
  return E.right({ from: range.from, to: Math.min(range.to, range.from + capture.length - 1) })
}

/** The capture whose record begins at an offset of the file, or of an archive file within it. */
const recordIn = async (file: Source, name: string, offset: number): Promise<Capture | undefined> => {
  const archives = (await archivesIn(file)) ?? [{ from: 0, bytes: file }]
  const archive = archives.find(({ from, bytes }) => offset >= from && offset < from + bytes.size)
  const capture = archive && (await recordAt(archive.bytes, name, offset - archive.from))
  return capture && { ...capture, offset }
}

const whyUnexamined = (error: unknown, name: string): string => {
  if (error instanceof Unservable) return error.message
  if (error instanceof TooMuchToExamine)
    return `access to captures is ruled here, and a record of more than 64 MiB is examined only on a disk of this machine: have ${name} lie there, too`
  throw error
}

const withRange = (asked: IncomingHttpHeaders, { from, to }: ByteRange): IncomingHttpHeaders => ({
  ...asked,
  range: `bytes=${from}-${to}`,
})

const notOneRecord = (name: string): string =>
  `access to captures is ruled here: of ${name}, ask for the range of one record that the index has a line of`

/** Versions of files on servers that are archive files: each request would read them again. */
const examined = recentCache<true>(1000)

/** Anyone may report the location of a file: a file that is no archive is not disclosed. */
const isArchive = async (file: ServableFile): Promise<boolean> => {
  if (file.identity !== undefined && examined.get(file.identity)) return true
  try {
    const isOne = await file.examine(async (source) => {
      const [first] = (await archivesIn(source)) ?? [{ bytes: source }]
      if (first) identify(first.bytes)
      return first !== undefined
    })
    if (isOne && file.identity !== undefined) examined.set(file.identity, true)
    return isOne
  } catch (error) {
    if (error instanceof UnreadableArchive || error instanceof TooMuchToExamine) return false
    throw error
  }
}

const openFirst = async (
  places: readonly Place[],
  openContent: OpenContent,
  stallMillis: number,
): Promise<E.Either<string, ServableFile>> => {
  const reasons: string[] = []
  for (const place of places) {
    const file = await openPlace(place, openContent, stallMillis)
    if (E.isRight(file)) {
      const why = await whyNotServed(file.right, place)
      if (why === undefined) return file
      await file.right.close()
      reasons.push(why)
    } else reasons.push(file.left)
  }
  return E.left(reasons.join('; '))
}

const whyNotServed = async (file: ServableFile, { location }: Place): Promise<string | undefined> => {
  try {
    return (await isArchive(file)) ? undefined : `${location} is no WARC, ARC or WACZ file`
  } catch (error) {
    if (error instanceof Unservable) return error.message
    throw error
  }
}
