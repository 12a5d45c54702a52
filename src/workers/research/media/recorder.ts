import { DownloadFailure } from '@fonds/download'
import { Unreadable } from '@fonds/sound'
import type { TaskContext } from '../../../async/task-context.ts'
import { MediaFailure, type Recording } from '../recording.ts'
import type { Cache } from './cache.ts'
import { type Entry, keyOf, type Wanted } from './cache-entry.ts'
import { createDecoder } from './decoder.ts'
import type { FilesInUse } from './files-in-use.ts'
import { isLocal, readLocal } from './local.ts'
import type { MediaFile } from './media-file.ts'
import type { RecordingsSettings } from './recordings-options.ts'
import { createRemoteMedia } from './remote.ts'

interface Recorder {
  /** Fetches and decodes the media into the cache. Throws `MediaFailure`, `NoRoom`, and the reason of the signal. */
  record(wanted: Wanted, context: TaskContext): Promise<Recording>
  close(): Promise<void>
}

/** Recordings in `holds` are not evicted. */
export const createRecorder = (settings: RecordingsSettings, cache: Cache, holds: FilesInUse): Recorder => {
  const { rate, clock } = settings
  const remote = createRemoteMedia(settings)
  const decode = createDecoder(settings, cache, async () => {
    await holds.touch()
    return cache.room()
  })

  const keep = async (key: string, entry: Entry): Promise<Recording> => {
    await cache.put(key, entry)
    return cache.recording(entry)
  }

  const decodeAndKeep = async (wanted: Wanted, file: MediaFile, context: TaskContext): Promise<Recording> => {
    const { uri } = wanted
    const key = keyOf(wanted, rate)
    const checkedAt = clock.now()
    const decoded = await decode(key, file, context)
    const { hash, bytes, validators } = file
    return keep(key, { uri, hash, bytes, checkedAt, ...validators, rate, ...decoded })
  }

  const recordRemote = async (wanted: Wanted, context: TaskContext): Promise<Recording> => {
    const key = keyOf(wanted, rate)
    const old = cache.find(key)
    const fetched = await remote.fetch({ ...wanted, key, known: old }, context, (file) =>
      decodeAndKeep(wanted, file, context),
    )
    return fetched === 'same' ? keep(key, { ...old!, checkedAt: clock.now() }) : fetched
  }

  const recordLocal = (wanted: Wanted, context: TaskContext): Promise<Recording> =>
    readLocal(wanted.uri, settings, context, (file) => decodeAndKeep(wanted, file, context))

  return {
    record: async (wanted, context) => {
      const { uri } = wanted
      try {
        const recording = await (isLocal(uri) ? recordLocal : recordRemote)(wanted, context)
        await holds.touch()
        await cache.added(recording)
        return recording
      } catch (error) {
        context.signal.throwIfAborted()
        throw asFailure(uri, error)
      }
    },
    close: remote.close,
  }
}

const asFailure = (uri: string, error: unknown): unknown => {
  if (error instanceof DownloadFailure)
    return new MediaFailure('download', error.message, { cause: error.cause })
  if (error instanceof Unreadable)
    return new MediaFailure('decode', `${uri} ${error.message}`, { cause: error.cause ?? error })
  const isOfDisk = error instanceof Error && 'syscall' in error
  if (!isOfDisk) return error
  return new MediaFailure('download', `${uri} cannot be stored: ${error.message}; check the disk`, {
    cause: error,
  })
}
