import { PermanentFailure, TransientFailure } from '../failures.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import type { TakeRoom } from '../take-room.ts'
import type { Validators } from '../validators.ts'
import type { Watch } from '../watch.ts'
import { failUnlessStatus, lengthOf, rangeOf, validatorsOf } from './answer.ts'
import { codingOf, isOwnCoding, nameIn } from './coding.ts'
import { inTries, type Tries } from './in-tries.ts'
import type { Part } from './part.ts'
import { type AllowedHosts, failUnlessAllowed, request } from './request.ts'
import { createStallWatch } from './stall-watch.ts'
import { type CodingOptions, undoCoding } from './undo-coding.ts'

export interface DownloadOptions extends Tries, CodingOptions {
  readonly client: HttpClient
  readonly allowed: AllowedHosts
  /** Time after which a server that sends nothing, or next to nothing, is retried. */
  readonly stallMillis: number
  /** Other names of the file, beside that in its address: `a.warc.gz`. */
  readonly names?: readonly string[]
}

const anyRoom: TakeRoom = () => undefined

/** Bytes from which on an attempt does not count as failed. */
const muchProgress = 1024 * 1024

/** Where the bytes of a download go. */
export type ReceivedBytes = Pick<Part, 'size' | 'representation' | 'begin' | 'write'>

/**
 * Downloads the rest of the part. Where the server names a coding for its bytes, though none was asked for, they stay
 * as they came if they are the wanted ones, or the file is packed so itself, by its name or type; else the coding is
 * undone. `known` are validators of the caller's copy; returns 'same' if that is
 * still current. Throws `DownloadFailure`, the error that `takeRoom` rejects with, and the reason of the
 * signal. The part keeps the bytes received.
 */
export const download = async (
  uri: string,
  part: Part,
  known: Validators | undefined,
  options: DownloadOptions,
  watch: Watch,
): Promise<'same' | 'whole'> => {
  const result = await downloadAsSent(uri, part, known, options, watch)
  if (result === 'whole') await undoCoding(uri, part, options, watch)
  return result
}

/** Downloads the bytes as the server sends them, in whatever coding that `begin` is told. Throws as `download` does. */
export const downloadAsSent = (
  uri: string,
  part: ReceivedBytes,
  known: Validators | undefined,
  options: Omit<DownloadOptions, 'isWanted'>,
  watch: Watch,
): Promise<'same' | 'whole'> => {
  let before = part.size
  const hasAdvanced = () => part.size - before >= muchProgress
  return inTries(
    uri,
    () => {
      before = part.size
      return attempt(uri, part, known, options, watch)
    },
    { ...options, hasAdvanced },
    watch,
  )
}

const attempt = async (
  uri: string,
  part: ReceivedBytes,
  known: Validators | undefined,
  { client, allowed, stallMillis, maxBytes, takeRoom = anyRoom, names = [] }: DownloadOptions,
  { signal, progress }: Watch,
): Promise<'same' | 'whole'> => {
  failUnlessAllowed(uri, allowed)
  if (part.size > 0 && part.size === part.representation.total) return 'whole'
  const stall = createStallWatch(signal, stallMillis)
  const asking = { signal: stall.signal, begun: stall.begin }
  let answer: HttpResponse | undefined
  try {
    answer = await request(client, uri, allowed, headersFor(part, known), asking)
    if (answer.status === 304 && known) return 'same'
    await accept(answer, part, [nameIn(uri), ...names])
    const { total } = part.representation
    if (total !== undefined && total > maxBytes) throw tooLarge(maxBytes, total)
    for await (const chunk of answer.body) {
      stall.received(chunk.length)
      if (part.size + chunk.length > maxBytes) throw tooLarge(maxBytes)
      const room = takeRoom(chunk.length, total === undefined ? undefined : total - part.size)
      if (room) {
        // Waiting for room does not count as a stall of the server.
        stall.end()
        await room
        stall.begin()
      }
      await part.write(chunk)
      progress()
    }
    if (total !== undefined && part.size < total)
      throw new TransientFailure(`broke off after ${part.size} of ${total} bytes`)
    return 'whole'
  } catch (error) {
    if (stall.hasStalled && !signal.aborted)
      throw new TransientFailure(`sent nothing, or next to nothing, for ${stallMillis / 1000} s`, {
        cause: error,
      })
    throw error
  } finally {
    stall.end()
    await answer?.[Symbol.asyncDispose]()
  }
}

const tooLarge = (maxBytes: number, total?: number): PermanentFailure =>
  new PermanentFailure(
    `is larger than ${maxBytes} bytes${total === undefined ? '' : ` (${total})`}; raise the limit, or offer it in a smaller form`,
  )

/** Headers of a request for the rest if that is unchanged, else for the whole unless it is `known`. */
const headersFor = (part: ReceivedBytes, known: Validators | undefined): Record<string, string> => {
  const same = part.size > 0 ? strong(part.representation) : undefined
  if (same !== undefined) return { range: `bytes=${part.size}-`, 'if-range': same }
  return {
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  }
}

/** Returns true if the rest can be requested. */
export const isResumable = (part: Pick<Part, 'size' | 'representation'>): boolean =>
  part.size > 0 && strong(part.representation) !== undefined

/** A weak validator does not promise the same bytes. */
const strong = ({ etag, lastModified }: Validators): string | undefined =>
  etag === undefined || etag.startsWith('W/') ? lastModified : etag

/** Prepares the part for the body of this response, or throws. */
const accept = async (answer: HttpResponse, part: ReceivedBytes, names: readonly string[]): Promise<void> => {
  if (answer.status === 200) return begin(answer, part, names)
  if (answer.status === 206 && part.size > 0 && isContinued(answer, part)) return
  if (answer.status === 206 || answer.status === 416) {
    await part.begin({})
    throw new TransientFailure(`answered ${answer.status} with another part than was asked for`)
  }
  failUnlessStatus(answer, [], 'content')
}

const begin = (answer: HttpResponse, part: ReceivedBytes, names: readonly string[]): Promise<void> => {
  const total = lengthOf(answer)
  const coding = codingOf(answer.headers)
  return part.begin({
    ...validatorsOf(answer),
    ...(total !== undefined && { total }),
    ...(coding !== undefined && { coding, isOwnCoding: isOwnCoding(coding, answer.headers, names) }),
  })
}

const isContinued = (answer: HttpResponse, { size, representation }: ReceivedBytes): boolean => {
  const range = rangeOf(answer)
  const { etag } = validatorsOf(answer)
  return (
    range?.start === size &&
    codingOf(answer.headers) === representation.coding &&
    (range.total === undefined ||
      representation.total === undefined ||
      range.total === representation.total) &&
    (etag === undefined || representation.etag === undefined || etag === representation.etag)
  )
}
