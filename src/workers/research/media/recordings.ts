import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { createSharedWork } from '../../../async/shared-work.ts'
import { mayAsk } from '../../http/hosts.ts'
import type { Recordings } from '../recording.ts'
import { createCache } from './cache.ts'
import { type Entry, keyOf, nameOf } from './cache-entry.ts'
import { createHolds } from './holds.ts'
import { isLocal, localValidators } from './local.ts'
import { createRecorder } from './recorder.ts'
import { type RecordingsOptions, settingsOf } from './recordings-options.ts'

export const createRecordings = (options: RecordingsOptions): Recordings => {
  const settings = settingsOf(options)
  const { folder, rate, folders, hosts, clock, freshSeconds, restSeconds } = settings
  mkdirSync(folder, { recursive: true })
  const cache = createCache(settings)
  const holds = createHolds(cache.touch, restSeconds)
  const recorder = createRecorder(settings, cache, holds)
  const shared = createSharedWork(recorder.record)
  let closed = false

  /** The entry, where it may be used without asking for the media again. */
  const fresh = (uri: string): Entry | undefined => {
    const entry = cache.find(keyOf(uri, rate))
    if (!entry || entry.uri !== uri) return undefined
    if (isLocal(uri)) {
      const now = localValidators(uri, folders)
      return now !== undefined && now.etag === entry.etag ? entry : undefined
    }
    if (!mayAsk(hosts, uri)) return undefined
    return Date.parse(clock.now()) - Date.parse(entry.checkedAt) < freshSeconds * 1000 ? entry : undefined
  }

  return {
    open: async ({ uri }, hold) => {
      if (closed) throw closedError
      hold.signal.throwIfAborted()
      // Before it is searched for: what is found is then not evicted.
      await holds.keep(nameOf(keyOf(uri, rate)), hold.signal)
      const entry = fresh(uri)
      const recording = entry ? cache.recording(entry) : await shared.join(uri, hold)
      // The samples, too: the description may come to name others.
      await holds.keep(basename(recording.path), hold.signal)
      return recording
    },
    has: ({ uri }) => fresh(uri) !== undefined,
    close: async () => {
      closed = true
      await shared.close(closedError)
      await recorder.close()
      holds.close()
    },
  }
}

const closedError = new Error('the recordings are closed')
