import { basename } from 'node:path'
import { mayAsk } from '@fonds/download'
import { makeFolderSync } from '@fonds/toolbox/disk'
import { createSharedWork } from '../../../async/shared-work.ts'
import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import { mayReadBucket } from '../../buckets/bucket-file.ts'
import type { MediaAddress, Recordings } from '../recording.ts'
import { createCache } from './cache.ts'
import { type Entry, keyOf, nameOf, type Wanted } from './cache-entry.ts'
import { createFilesInUse } from './files-in-use.ts'
import { isLocal, localValidators } from './local.ts'
import { createRecorder } from './recorder.ts'
import { type RecordingsOptions, settingsOf } from './recordings-options.ts'

export const createRecordings = (options: RecordingsOptions): Recordings => {
  const settings = settingsOf(options)
  const { folder, rate, folders, buckets, hosts, clock, freshSeconds, restSeconds } = settings
  makeFolderSync(folder)
  const cache = createCache(settings)
  const holds = createFilesInUse(cache.touch, restSeconds)
  const recorder = createRecorder(settings, cache, holds)
  const keyOfMedia = (wanted: Wanted) => keyOf(wanted, rate)
  const shared = createSharedWork(recorder.record, keyOfMedia)
  let closed = false

  /** A list of hosts determines itself which internal ones may be contacted, whoever named them. */
  const wantedOf = ({ uri, foreign = false }: MediaAddress): Wanted => ({
    uri,
    publicOnly: foreign && hosts === undefined && !isLocal(uri) && !isBucketAddress(uri),
  })

  /** Returns the entry if it may be used without contacting the source again. */
  const fresh = (wanted: Wanted): Entry | undefined => {
    const { uri } = wanted
    const entry = cache.find(keyOfMedia(wanted))
    if (!entry || entry.uri !== uri) return undefined
    if (isLocal(uri)) {
      const now = localValidators(uri, folders)
      return now !== undefined && now.etag === entry.etag ? entry : undefined
    }
    if (!(isBucketAddress(uri) ? mayReadBucket(uri, buckets) : mayAsk(hosts, uri))) return undefined
    return Date.parse(clock.now()) - Date.parse(entry.checkedAt) < freshSeconds * 1000 ? entry : undefined
  }

  return {
    open: async (media, context) => {
      if (closed) throw closedError
      context.signal.throwIfAborted()
      // Before the lookup, so that a found entry is not evicted.
      const wanted = wantedOf(media)
      await holds.keep(nameOf(keyOfMedia(wanted)), context.signal)
      const entry = fresh(wanted)
      const recording = entry ? cache.recording(entry) : await shared.join(wanted, context)
      // Holds the samples, too: the description may come to name others.
      await holds.keep(basename(recording.path), context.signal)
      return recording
    },
    has: (media) => fresh(wantedOf(media)) !== undefined,
    close: async () => {
      closed = true
      await shared.close(closedError)
      await recorder.close()
      holds.close()
    },
  }
}

const closedError = new Error('the recordings are closed')
