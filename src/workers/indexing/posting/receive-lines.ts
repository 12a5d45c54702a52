import { isUtf8 } from 'node:buffer'
import * as E from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../../async/errors.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { type PostedLines, postedLines } from '../../../domain/indexing/posts/posted-line.ts'
import type { TakeRoom } from '../../runtime/room.ts'

/** A rejected post: none of its lines is taken. */
export class BadPost extends Error {
  override readonly name = 'BadPost'
  readonly code: 'bad-line' | 'too-large' | 'broken-off' | 'disk-refuses'
  constructor(code: BadPost['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Bounds {
  readonly maxBytes: number
  /** Limit of one line. */
  readonly maxLineBytes: number
  /** Reserves room on the disk that stores the lines. Absent: room is not checked. */
  readonly takeRoom?: TakeRoom
}

export const postBounds: Bounds = { maxBytes: 1024 ** 3, maxLineBytes: 64 * 1024 }

export interface Received {
  readonly batches: AsyncIterable<string>
  readonly counts: Counts
}

interface Counts {
  /** Valid lines, without headers and empty lines. */
  lines: number
  skipped: number
  /** The problem of the first skipped line. */
  firstSkipped?: string
}

const lineFeed = 10
/** Some programs begin a file with it. */
const byteOrderMark = /^\ufeff/

/**
 * Yields the lines of a body as they arrive, in batches. `batches` throws `BadPost` only after the end of the body: a
 * reader that stops earlier cuts the connection, and the client never gets the reason.
 */
export const receiveLines = (
  body: AsyncIterable<Uint8Array>,
  { skipsBad, alsoFormer }: { readonly skipsBad: boolean; readonly alsoFormer?: boolean },
  { maxBytes, maxLineBytes, takeRoom }: Bounds = postBounds,
): Received => {
  const counts: Counts = { lines: 0, skipped: 0 }
  const posted = postedLines(alsoFormer)
  let number = 0
  let fault: BadPost | undefined

  const lineOf = (bytes: Buffer): string => {
    number++
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13)) return ''
    const read = readLine(bytes, maxLineBytes, posted)
    if (read === undefined) return ''
    if (E.isRight(read)) {
      counts.lines++
      return `${read.right}\n`
    }
    const problem = `line ${number}: ${read.left}`
    if (!skipsBad) fault ??= new BadPost('bad-line', problem)
    counts.skipped++
    counts.firstSkipped ??= problem
    return ''
  }

  async function* batches(): AsyncGenerator<string> {
    let rest: Buffer = Buffer.alloc(0)
    let bytes = 0
    for await (const chunk of unbroken(body)) {
      bytes += chunk.length
      if (bytes > maxBytes) fault ??= tooLarge(maxBytes)
      const room = fault ? undefined : takeRoom?.(chunk.length)
      if (room) fault = await faultOf(room)
      if (fault) continue
      const block = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
      let text = ''
      let at = 0
      for (let end = block.indexOf(lineFeed); end >= 0 && !fault; end = block.indexOf(lineFeed, at)) {
        text += lineOf(block.subarray(at, end))
        at = end + 1
      }
      rest = block.subarray(at)
      // An overlong line is not buffered until its end arrives.
      if (rest.length > maxLineBytes) fault ??= tooLong(number + 1, maxLineBytes)
      if (text !== '') yield text
    }
    const last = fault || rest.length === 0 ? '' : lineOf(rest)
    if (fault) throw fault
    if (last !== '') yield last
  }

  return { batches: batches(), counts }
}

async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new BadPost('broken-off', `the post broke off; none of its lines is taken: ${errorMessage(error)}`)
  }
}

/** Returns undefined for a header. */
const readLine = (
  bytes: Buffer,
  maxLineBytes: number,
  posted: PostedLines,
): E.Either<string, string> | undefined => {
  if (bytes.length > maxLineBytes)
    return E.left(`it has ${bytes.length} bytes; at most ${maxLineBytes} are taken`)
  if (!isUtf8(bytes)) return E.left('it is not UTF-8')
  return posted.read(bytes.toString().replace(byteOrderMark, ''))
}

const faultOf = async (room: Promise<void>): Promise<BadPost | undefined> => {
  try {
    await room
    return undefined
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error
    return new BadPost('disk-refuses', `no line of the post is taken: ${error.message}; then send it again`)
  }
}

const tooLarge = (maxBytes: number): BadPost =>
  new BadPost('too-large', `a post has at most ${maxBytes} bytes: send its lines in several`)

const tooLong = (number: number, maxLineBytes: number): BadPost =>
  new BadPost('bad-line', `line ${number}: it has more than ${maxLineBytes} bytes`)
