import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { mayAsk } from '../../http/hosts.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import type { Hold } from '../../runtime/hold.ts'
import { MediaFailure, type Recording, type Recordings } from '../recording.ts'
import { createCache } from './cache.ts'
import { type Entry, nameOf } from './cache-entry.ts'
import { createDecoder } from './decoder.ts'
import { createHolds } from './holds.ts'
import { localValidators, readLocal } from './local.ts'
import type { MediaFile } from './media-file.ts'
import { type RecordingsOptions, settingsOf } from './recordings-options.ts'
import { createRemoteMedia } from './remote.ts'
import { createSharedWork } from './shared-work.ts'
import { Unreadable } from './sound.ts'

export const createRecordings = (options: RecordingsOptions): Recordings => {
  const settings = settingsOf(options)
  const { folder, rate, folders, hosts, clock, freshSeconds, restSeconds } = settings
  mkdirSync(folder, { recursive: true })
  const cache = createCache(settings)
  const holds = createHolds(cache.touch, restSeconds)
  const remote = createRemoteMedia(settings)
  const decode = createDecoder(settings, cache, async () => {
    await holds.touch()
    return cache.room()
  })
  const keyOf = (uri: string) => createHash('sha256').update(`${rate} ${uri}`).digest('hex')
  let closed = false

  /** What may be used as it is. */
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

  const keep = async (uri: string, entry: Entry): Promise<Recording> => {
    await cache.put(keyOf(uri), entry)
    return cache.recording(entry)
  }

  const record = async (uri: string, file: MediaFile, hold: Hold): Promise<Recording> => {
    const checkedAt = clock.now()
    const { samples, pcm } = await decode(keyOf(uri), file, hold)
    const { hash, bytes, validators } = file
    return keep(uri, { uri, hash, bytes, checkedAt, ...validators, rate, samples, pcm })
  }

  const fetchRemote = async (uri: string, hold: Hold): Promise<Recording> => {
    const old = cache.find(keyOf(uri))
    const wanted = { uri, key: keyOf(uri), known: old }
    const fetched = await remote.fetch(wanted, hold, (file) => record(uri, file, hold))
    return fetched === 'same' ? keep(uri, { ...old!, checkedAt: clock.now() }) : fetched
  }

  const fetchAndDecode = (uri: string, hold: Hold): Promise<Recording> =>
    isLocal(uri) ? readLocal(uri, settings, hold, (file) => record(uri, file, hold)) : fetchRemote(uri, hold)

  const work = createSharedWork(async (uri, hold) => {
    try {
      const recording = await fetchAndDecode(uri, hold)
      await holds.touch()
      await cache.added(recording)
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
      await remote.close()
      holds.close()
    },
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

const isLocal = (uri: string): boolean => uri.startsWith('file:')
