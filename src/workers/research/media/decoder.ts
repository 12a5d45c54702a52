import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { createSemaphore } from '../../../async/semaphore.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { createBudget } from './budget.ts'
import type { Cache } from './cache.ts'
import type { Entry } from './cache-entry.ts'
import { decodeInThread } from './decode-in-thread.ts'
import type { MediaFile } from './media-file.ts'
import type { RecordingsSettings } from './recordings-options.ts'

/** Samples in the cache. */
type Samples = Pick<Entry, 'samples' | 'pcm' | 'differing' | 'gaps'>

/**
 * Decodes media to the cache, unless this process or another has decoded the same bytes before. `room`: bytes that may
 * still be written.
 */
export const createDecoder = (settings: RecordingsSettings, cache: Cache, room: () => Promise<number>) => {
  const { rate, threads, maxSeconds, maxHeld, stallMillis, roomPercent } = settings
  const decoding = createSemaphore(threads)
  // All threads at once leave some of it free. Channels that differ take as much again.
  const each = Math.min(maxSeconds * rate * 4, Math.floor(maxHeld / (threads + 1)))
  const budget = createBudget({ room, each })

  const known = (key: string, { hash }: MediaFile): Samples | undefined => {
    const entry = cache.find(key)
    return entry?.hash === hash ? entry : undefined
  }

  const decode = async (key: string, file: MediaFile, context: TaskContext): Promise<Samples> => {
    const target = cache.newPcm(key)
    const job = { source: file.handle.fd, target, rate, maxSeconds, roomPercent }
    const { samples, differing, gaps } = await budget.within((maxBytes) =>
      decodeInThread({ ...job, maxBytes }, context, stallMillis),
    )
    // Another process may have been faster: one copy is enough.
    const other = known(key, file)
    if (other) await rm(target, { force: true })
    return (
      other ?? {
        samples,
        pcm: basename(target),
        ...(differing.length > 0 && { differing }),
        ...(gaps && { gaps }),
      }
    )
  }

  return async (key: string, file: MediaFile, context: TaskContext): Promise<Samples> =>
    known(key, file) ??
    (await decoding.run(context, async (turn) => known(key, file) ?? (await decode(key, file, turn))))
}
