import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { systemClock } from '../../../async/system-clock.ts'
import type { Clock } from '../../../ports/clock.ts'
import { download } from '../../http/download.ts'
import { mayAsk } from '../../http/hosts.ts'
import { createHttpClient } from '../../http/http-client.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import { openPart } from '../../http/part.ts'
import type { Validators } from '../../http/validators.ts'
import type { Hold } from '../../runtime/hold.ts'
import { MediaFailure, type Recording, type Recordings } from '../recording.ts'
import { createBudget } from './budget.ts'
import { createCache, type Entry, nameOf } from './cache.ts'
import { decodeInThread } from './decode.ts'
import { hashFile } from './hash-file.ts'
import { createHolds } from './holds.ts'
import { localValidators, openLocal } from './local.ts'
import { createQueue, type Queue } from './queue.ts'
import { createSharedWork } from './shared-work.ts'
import { maxRate, minRate, Unreadable } from './sound.ts'

export interface RecordingsOptions {
  /** Created where it does not exist. Several processes can share one. */
  readonly folder: string
  /** Hz. Default: 8000. */
  readonly rate?: number
  /** Where given, `file` addresses must lie beneath one of them, links followed. */
  readonly folders?: readonly string[]
  /** Where given, no other host is asked for media; as `parseHosts` gives them. */
  readonly hosts?: readonly string[]
  /** Concurrent decoders. Default: one a core. */
  readonly threads?: number
  /** Concurrent downloads: a slow server holds up no other. Default: 8. */
  readonly downloads?: number
  readonly clock?: Clock
  /** Of one media file. Default: 2 GiB. */
  readonly maxBytes?: number
  /** Of all that is kept. Default: 20 GiB. */
  readonly maxCached?: number
  /** Of all that lies there, what is in use too; more is not decoded. Default: 40 GiB. */
  readonly maxHeld?: number
  /** How long a recording is taken as it is before the server is asked whether it has changed. Default: a day. */
  readonly freshSeconds?: number
  /** How long a recording counts as in use when its users, of any process, touch it no more. Default: ten minutes. */
  readonly restSeconds?: number
  /** A server or a decoder without progress for so long is given up. Default: 60 s. */
  readonly stallMillis?: number
  /** Attempts of a download without much progress. Default: 5. */
  readonly tries?: number
  /** Of sound. Default: 48 hours. */
  readonly maxSeconds?: number
}

export const createRecordings = (options: RecordingsOptions): Recordings => {
  const { folder, rate = 8000, folders, hosts, clock = systemClock } = options
  const { maxBytes = 2 * gibi, maxCached = 20 * gibi, maxHeld = 40 * gibi } = options
  const { freshSeconds = 86_400, restSeconds = 600 } = options
  const { stallMillis = 60_000, tries = 5, maxSeconds = 48 * 3600 } = options
  const { threads = availableParallelism(), downloads = 8 } = options
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw new RangeError(`threads: wants a whole number from 1, got ${threads}`)
  if (!Number.isSafeInteger(rate) || rate < minRate || rate > maxRate)
    throw new RangeError(`rate: wants a whole number of Hz from ${minRate} to ${maxRate}, got ${rate}`)
  mkdirSync(folder, { recursive: true })
  const cache = createCache({ folder, clock, maxCached, maxHeld, restSeconds })
  const budget = createBudget({
    room: async () => {
      await holds.touch()
      return cache.room()
    },
    // All threads at once leave some of it.
    each: Math.min(maxSeconds * rate * 2, Math.floor(maxHeld / (threads + 1))),
  })
  const holds = createHolds(cache.touch, restSeconds)
  const client = createHttpClient({ stallMillis })
  const fetching = createQueue(downloads)
  const decoding = createQueue(threads)
  const keyOf = (uri: string) => createHash('sha256').update(`${rate} ${uri}`).digest('hex')
  let closed = false

  const fresh = (uri: string): Entry | undefined => {
    const entry = cache.find(keyOf(uri))
    if (!entry || entry.uri !== uri) return undefined
    if (isLocal(uri)) {
      const now = localValidators(uri, folders)
      return now !== undefined && now.etag === entry.etag ? entry : undefined
    }
    if (!mayAsk(hosts, uri)) return undefined
    return Date.parse(clock.now()) - Date.parse(entry.checkedAt) < freshSeconds * 1000 ? entry : undefined
  }

  const put = async (uri: string, entry: Entry): Promise<Recording> => {
    await cache.put(keyOf(uri), entry)
    return cache.recording(entry)
  }

  /** Decodes, unless the bytes are those that were decoded before. */
  const record = async (
    uri: string,
    media: {
      readonly handle: FileHandle
      readonly bytes: number
      readonly hash: string
      readonly validators: Validators
    },
    hold: Hold,
  ): Promise<Recording> => {
    const { handle, bytes, hash, validators } = media
    const common = { uri, hash, bytes, checkedAt: clock.now(), ...validators }
    const known = () => {
      const entry = cache.find(keyOf(uri))
      return entry?.hash === hash ? entry : undefined
    }
    const decoded = async (turn: Hold) => {
      const target = cache.newPcm(keyOf(uri))
      const job = { source: handle.fd, target, rate, maxSeconds }
      const samples = await budget.within((max) =>
        decodeInThread({ ...job, maxBytes: max }, turn, stallMillis),
      )
      // Another process may have been quicker: one copy is enough.
      const other = known()
      if (other) await rm(target, { force: true })
      return other ?? { samples, pcm: basename(target) }
    }
    const inTime = async (turn: Hold) => known() ?? decoded(turn)
    const { samples, pcm } = known() ?? (await inTurn(decoding, hold, inTime))
    return put(uri, { ...common, rate, samples, pcm })
  }

  const openFile = async (uri: string, hold: Hold): Promise<Recording> => {
    await using file = await openLocal(uri, folders)
    const { handle, bytes, validators } = file
    if (bytes > maxBytes)
      throw new MediaFailure(
        'download',
        `${uri} is larger than ${maxBytes} bytes (${bytes}); raise the limit`,
      )
    const hash = await hashFile(handle, hold.signal, hold.progress)
    const recording = await record(uri, { handle, bytes, hash, validators }, hold)
    if (await file.isSame()) return recording
    throw new MediaFailure('download', `${uri} changed while it was read; try again when nobody writes to it`)
  }

  const openRemote = async (uri: string, hold: Hold): Promise<Recording> => {
    const old = cache.find(keyOf(uri))
    const part = await openPart({ folder, key: keyOf(uri), uri, staleMillis: 2 * stallMillis })
    let isKept = false
    try {
      const allowed = { hosts, content: 'media', setting: 'FONDS_MEDIA_HOSTS' }
      const limits = { clock, client, allowed, stallMillis, maxBytes, tries }
      const outcome = await inTurn(fetching, hold, (turn) => download(uri, part, old, limits, turn))
      if (outcome === 'same' && old) return await put(uri, { ...old, checkedAt: clock.now() })
      const { etag, lastModified } = part.said
      const validators = {
        ...(etag !== undefined && { etag }),
        ...(lastModified !== undefined && { lastModified }),
      }
      return await record(uri, { handle: part.handle, bytes: part.size, hash: part.hash(), validators }, hold)
    } catch (error) {
      isKept = hold.signal.aborted || error instanceof DownloadFailure
      throw error
    } finally {
      await (isKept ? part.leave() : part.discard())
    }
  }

  const work = createSharedWork(async (uri, hold): Promise<Recording> => {
    try {
      const recording = await (isLocal(uri) ? openFile : openRemote)(uri, hold)
      await holds.touch()
      await cache.tidy(recording.samples * 2)
      return recording
    } catch (error) {
      hold.signal.throwIfAborted()
      throw asFailure(uri, error)
    }
  })

  return {
    open: async ({ uri }, hold) => {
      if (closed) throw closedError
      hold.signal.throwIfAborted()
      // Before it is looked for: what is found is not removed then.
      await holds.keep(nameOf(keyOf(uri)), hold.signal)
      const entry = fresh(uri)
      const recording = entry ? cache.recording(entry) : await work.join(uri, hold)
      // The samples, too: the description may come to name others.
      await holds.keep(basename(recording.path), hold.signal)
      return recording
    },
    has: ({ uri }) => fresh(uri) !== undefined,
    close: async () => {
      closed = true
      await work.close(closedError)
      await client.close()
      holds.close()
    },
  }
}

const inTurn = async <A>(queue: Queue, hold: Hold, work: (turn: Hold) => Promise<A>): Promise<A> => {
  const end = await queue.take(hold)
  try {
    return await work(queue.sharingProgress(hold))
  } finally {
    end()
  }
}

const closedError = new Error('the recordings are closed')

const asFailure = (uri: string, error: unknown): unknown => {
  if (error instanceof DownloadFailure)
    return new MediaFailure('download', error.message, { cause: error.cause })
  if (error instanceof Unreadable)
    return new MediaFailure('decode', `${uri} ${error.message}`, { cause: error.cause ?? error })
  const isOfDisk = error instanceof Error && 'syscall' in error
  if (!isOfDisk) return error
  return new MediaFailure('download', `${uri} cannot be kept: ${error.message}; look at the disk`, {
    cause: error,
  })
}

const gibi = 1024 ** 3
const isLocal = (uri: string): boolean => uri.startsWith('file:')
