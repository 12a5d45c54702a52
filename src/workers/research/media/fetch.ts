import type { Clock } from '../../../ports/clock.ts'
import { type Hold, MediaFailure } from '../recording.ts'
import { mayAsk } from './hosts.ts'
import { forbidden, lengthOf, rangeOf, refuseStatus, request, validatorsOf } from './http.ts'
import type { Answer, HttpClient } from './http-client.ts'
import { Passing, Refused } from './http-failures.ts'
import type { Part, Validators } from './part.ts'

export interface FetchOptions {
  readonly clock: Clock
  readonly client: HttpClient
  /** Where given, no other host is asked, wherever redirects lead. */
  readonly hosts: readonly string[] | undefined
  /** A server that sends nothing, or next to nothing, for so long is given up, and asked again. */
  readonly stallMillis: number
  readonly mostBytes: number
  /** In a row, without much progress between them. */
  readonly tries: number
}

/** After the first try; twice as long after each. */
const pauseMillis = 1000
const longestPause = 60_000
/** What drips more slowly than so much in the time of a stall is given up like what stands still. */
const leastBytes = 16 * 1024
/** A try that brought so much is none that failed. */
const muchProgress = 1024 * 1024

/**
 * Brings the part to its end, going on where it stopped. `known`: the validators of what the caller has already; 'same' where
 * it still holds. Throws `MediaFailure`, and what the signal aborts with; the part is left as far as it came.
 */
export const fetchMedia = async (
  uri: string,
  part: Part,
  known: Validators | undefined,
  options: FetchOptions,
  hold: Hold,
): Promise<'same' | 'whole'> => {
  const { clock, tries } = options
  for (let tried = 1; ; tried++) {
    const before = part.size
    try {
      return await attempt(uri, part, known, options, hold)
    } catch (error) {
      hold.signal.throwIfAborted()
      if (error instanceof Refused)
        throw new MediaFailure('download', `${uri} ${error.message}`, { cause: error })
      if (!(error instanceof Passing)) throw error
      if (part.size - before >= muchProgress) tried = 0
      if (tried >= tries)
        throw new MediaFailure('download', `${uri} ${error.message}; tried ${tries} times, try again later`, {
          cause: error,
        })
      const pause = Math.max(error.afterMillis, pauseMillis * 2 ** Math.max(0, tried - 1))
      await clock.sleep(Math.min(pause, longestPause), hold.signal)
      hold.signal.throwIfAborted()
    }
  }
}

const attempt = async (
  uri: string,
  part: Part,
  known: Validators | undefined,
  { client, hosts, stallMillis, mostBytes }: FetchOptions,
  { signal, progress }: Hold,
): Promise<'same' | 'whole'> => {
  if (!mayAsk(hosts, uri)) throw forbidden('is on a host that')
  if (part.size > 0 && part.size === part.said.total) return 'whole'
  const stall = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const begun = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stall.abort(), stallMillis)
  }
  const asking = { signal: AbortSignal.any([signal, stall.signal]), begun }
  let answer: Answer | undefined
  try {
    answer = await request(client, uri, hosts, headersFor(part, known), asking)
    if (answer.status === 304 && known) return 'same'
    await accept(answer, part)
    const { total } = part.said
    if (total !== undefined && total > mostBytes) throw tooLarge(mostBytes, total)
    let sinceRefresh = 0
    for await (const chunk of answer.body) {
      sinceRefresh += chunk.length
      if (sinceRefresh >= leastBytes) {
        sinceRefresh = 0
        timer?.refresh()
      }
      if (part.size + chunk.length > mostBytes) throw tooLarge(mostBytes)
      await part.write(chunk)
      progress()
    }
    if (total !== undefined && part.size < total)
      throw new Passing(`broke off after ${part.size} of ${total} bytes`)
    return 'whole'
  } catch (error) {
    if (stall.signal.aborted && !signal.aborted)
      throw new Passing(`sent nothing, or next to nothing, for ${stallMillis / 1000} s`, 0, { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    await answer?.[Symbol.asyncDispose]()
  }
}

const tooLarge = (mostBytes: number, total?: number): Refused =>
  new Refused(
    `is larger than ${mostBytes} bytes${total === undefined ? '' : ` (${total})`}; raise the limit, or offer it in a smaller form`,
  )

/** The rest of it, if it is still the same; or all, if it is no longer what is known. */
const headersFor = (part: Part, known: Validators | undefined): Record<string, string> => {
  const same = part.size > 0 ? strong(part.said) : undefined
  if (same !== undefined) return { range: `bytes=${part.size}-`, 'if-range': same }
  return {
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  }
}

/** A weak validator says that it means the same, not that its bytes are. */
const strong = ({ etag, lastModified }: Validators): string | undefined =>
  etag === undefined || etag.startsWith('W/') ? lastModified : etag

/** Makes the part ready for the body of this answer, or throws. */
const accept = async (answer: Answer, part: Part): Promise<void> => {
  if (answer.status === 200) return begin(answer, part)
  if (answer.status === 206 && part.size > 0 && isContinued(answer, part)) return
  if (answer.status === 206 || answer.status === 416) {
    await part.begin({})
    throw new Passing(`answered ${answer.status} with another part than was asked for`)
  }
  refuseStatus(answer)
  throw new Refused(`answered ${answer.status}, which brings no media; check the address`)
}

const begin = (answer: Answer, part: Part): Promise<void> => {
  const total = lengthOf(answer)
  return part.begin({ ...validatorsOf(answer), ...(total !== undefined && { total }) })
}

const isContinued = (answer: Answer, { size, said }: Part): boolean => {
  const range = rangeOf(answer)
  const { etag } = validatorsOf(answer)
  return (
    range?.start === size &&
    (range.total === undefined || said.total === undefined || range.total === said.total) &&
    (etag === undefined || said.etag === undefined || etag === said.etag)
  )
}
