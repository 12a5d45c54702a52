import { randomUUID } from 'node:crypto'
import { rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../ports/clock.ts'
import type { Recording } from '../recording.ts'
import { type Entry, nameOf, pcmBytes, readEntry } from './cache-entry.ts'
import { evict, list, removeLeftovers } from './cache-eviction.ts'

export interface Cache {
  /** Undefined if the entry is missing or incomplete. */
  find(key: string): Entry | undefined
  /** Writes the description; samples that it named before are removed later. */
  put(key: string, entry: Entry): Promise<void>
  /** Sets the time of last use of the description or the samples of this name. */
  touch(name: string): Promise<void>
  /** Returns a path for new samples of it. */
  newPcm(key: string): string
  recording(entry: Entry): Recording
  /** To be called for a new entry: evicts others, the least recently used first, if the bound is exceeded. */
  added(entry: Pick<Entry, 'samples' | 'differing'>): Promise<void>
  /**
   * Bytes that may still be written, after all possible evictions. Files that other processes write count from the next
   * listing.
   */
  room(): Promise<number>
}

interface CacheOptions {
  readonly folder: string
  readonly clock: Clock
  /** Bytes. */
  readonly maxCached: number
  /** Bytes, including recordings in use. */
  readonly maxHeld: number
  /** Users touch their recordings: one touched within this time is in use. */
  readonly restSeconds: number
}

/** All files are listed at least this often: other processes add theirs. */
const listSeconds = 600

export const createCache = ({ folder, clock, maxHeld, restSeconds, ...options }: CacheOptions): Cache => {
  // Recordings in use come on top.
  const maxCached = Math.min(options.maxCached, maxHeld / 2)
  const at = (name: string) => join(folder, name)
  const now = () => Date.parse(clock.now()) / 1000
  const touch = (name: string) => utimes(at(name), now(), now()).catch(() => {})
  /** Bytes, as of the last listing and with what was added since. */
  let held = Number.POSITIVE_INFINITY
  let listedAt = Number.NEGATIVE_INFINITY

  /** A listing reads the description of every file: it is made if the bound may be reached, and at intervals. */
  const evictIfFull = async () => {
    if (held <= maxCached && now() - listedAt < listSeconds) return
    listedAt = now()
    const listing = await list(folder)
    held = await evict(folder, listing, { maxCached, unusedSince: now() - restSeconds })
    await removeLeftovers(folder, listing, restSeconds)
  }

  return {
    find: (key) => readEntry(folder, key),
    touch,
    added: async (entry) => {
      held += pcmBytes(entry)
      await evictIfFull()
    },
    room: async () => {
      await evictIfFull()
      return maxHeld - held
    },
    newPcm: (key) => at(`${key}.${randomUUID()}.pcm`),
    recording: ({ pcm, rate, samples, differing, gaps, hash }) => ({
      path: at(pcm),
      rate,
      samples,
      duration: Math.round((samples / rate) * 1e9),
      hash,
      ...(differing && { differing }),
      ...(gaps && { gaps }),
    }),
    put: async (key, entry) => {
      const name = at(`${key}.${randomUUID()}.new`)
      await writeFile(name, JSON.stringify(entry), { flush: true })
      await rename(name, at(nameOf(key)))
      await touch(nameOf(key))
    },
  }
}
