import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Capture } from '@fonds/cdx'
import { UnreadableArchive } from '@fonds/warc'
import { identify } from '@fonds/warc/read'
import * as E from 'fp-ts/lib/Either.js'
import type { ByteRange } from '../../http/serving/byte-range.ts'
import { type FileAnswer, fileAnswer } from '../../http/serving/file-answer.ts'
import { type OpenFile, openFile } from '../../http/serving/open-file.ts'
import { archivesIn } from '../wacz/find-contents.ts'
import { recordAt } from './record-at.ts'

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
 * Answers GET or HEAD from the first location at which the file can be read. With access rules, only records that have
 * a line in the index are served, one at a time: nothing else says which bytes may be seen.
 */
export const serveFile = async (
  locations: readonly string[],
  request: FileRequest,
): Promise<E.Either<NotServed, Served>> => {
  const opened = await openFirst(locations)
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

const served = async (file: OpenFile, { method }: FileRequest, answer: FileAnswer): Promise<Served> => {
  const { status, headers, range } = answer
  if (range && method !== 'HEAD') return { status, headers, body: file.bytes(range) }
  await file.close()
  // A stream: for a body in memory, the server would set its own content length.
  return { status, headers, body: Readable.from([]) }
}

/** Returns the requested range, limited to the record that begins there. */
const rangeOfRecord = async (
  file: OpenFile,
  name: string,
  { status, range }: FileAnswer,
  accessTo: (capture: Capture) => Promise<RecordAccess>,
): Promise<E.Either<NotServed, ByteRange>> => {
  const unseen = E.left({ code: 'no-such-record' as const, message: notOneRecord(name) })
  if (status !== 206 || !range) return unseen
  const capture = await recordIn(file, name, range.from)
  const access = capture ? await accessTo(capture) : 'unseen'
  if (!capture || access === 'unseen') return unseen
  if (access !== 'seen') return E.left({ code: 'refused-record', message: access.refused })
  return E.right({ from: range.from, to: Math.min(range.to, range.from + capture.length - 1) })
}

/** The capture whose record begins at an offset of the file, or of an archive file within it. */
const recordIn = async (file: OpenFile, name: string, offset: number): Promise<Capture | undefined> => {
  const archives = (await archivesIn(file)) ?? [{ from: 0, bytes: file }]
  const archive = archives.find(({ from, bytes }) => offset >= from && offset < from + bytes.size)
  const capture = archive && (await recordAt(archive.bytes, name, offset - archive.from))
  return capture && { ...capture, offset }
}

const withRange = (asked: IncomingHttpHeaders, { from, to }: ByteRange): IncomingHttpHeaders => ({
  ...asked,
  range: `bytes=${from}-${to}`,
})

const notOneRecord = (name: string): string =>
  `access to captures is ruled here: of ${name}, ask for the range of one record that the index has a line of`

/** Anyone may report the location of a file: a file that is no archive is not disclosed. */
const isArchive = async (file: OpenFile): Promise<boolean> => {
  try {
    for (const { bytes } of (await archivesIn(file)) ?? [{ bytes: file }]) {
      identify(bytes)
      return true
    }
    return false
  } catch (error) {
    if (error instanceof UnreadableArchive) return false
    throw error
  }
}

const openFirst = async (locations: readonly string[]): Promise<E.Either<string, OpenFile>> => {
  const reasons: string[] = []
  for (const location of locations) {
    const file = await openFile(location)
    if (E.isRight(file) && (await isArchive(file.right))) return file
    if (E.isRight(file)) await file.right.close()
    reasons.push(E.isLeft(file) ? file.left : `${location} is no WARC, ARC or WACZ file`)
  }
  return E.left(reasons.join('; '))
}
