import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as t from 'io-ts'
import type { Clock } from '../../../ports/clock.ts'
import { removePart } from '../../http/part-files.ts'
import { Validators } from '../../http/validators.ts'
import type { Recording } from '../recording.ts'

/** One recording: `<key>.json`, which names its samples. It takes its name atomically. */
const Entry = t.intersection(
  [
    t.type({
      uri: t.string,
      /** Of the media, as fetched. */
      hash: t.string,
      bytes: t.number,
      rate: t.number,
      samples: t.number,
      /** Name of the file with the samples. */
      pcm: t.refinement(t.string, (s) => /^[0-9a-f.-]+\.pcm$/.test(s), 'name of a file of samples'),
      /** When the media was last validated. */
      checkedAt: t.string,
    }),
    Validators,
  ],
  'entry',
)
export type Entry = t.TypeOf<typeof Entry>

interface Cache {
  /** Undefined where there is none, or not all of it. */
  find(key: string): Entry | undefined
  /** Writes the description; samples that it named before are removed later. */
  put(key: string, entry: Entry): Promise<void>
  /** Marks the description of this name, or the samples, as used now. */
  touch(name: string): Promise<void>
  /** Where new samples of it are to be written. */
  newPcm(key: string): string
  recording(entry: Entry): Recording
  /**
   * Removes what was longest not used until the rest is no more than `maxCached`, and what processes left behind. It looks
   * at every file, so not each time: when `added` bytes, since the last look, may be too many, and now and then.
   */
  tidy(added: number): Promise<void>
  /** Bytes that may still be written, once what can be removed is; what other processes write is seen as `tidy` looks. */
  room(): Promise<number>
}

interface CacheOptions {
  readonly folder: string
  readonly clock: Clock
  /** Bytes. */
  readonly maxCached: number
  /** Bytes, of what is in use too. */
  readonly maxHeld: number
  /** Who uses a recording touches it: what was touched within so long is in use. */
  readonly restSeconds: number
}

/** All files are listed at least this often: other processes add theirs. */
const lookSeconds = 600
/** This share is freed when the bound is reached: the next recordings then need no listing. */
const slack = 0.05
/** Downloads that nobody went on with for so long are removed. */
const partSeconds = 86_400

export const createCache = ({ folder, clock, maxHeld, restSeconds, ...options }: CacheOptions): Cache => {
  // What is in use goes on top.
  const maxCached = Math.min(options.maxCached, maxHeld / 2)
  const at = (name: string) => join(folder, name)
  const now = () => Date.parse(clock.now()) / 1000

  const find = (key: string): Entry | undefined => {
    try {
      const entry = Entry.decode(JSON.parse(readFileSync(at(nameOf(key)), 'utf8')))
      if (entry._tag === 'Left') return undefined
      return statSync(at(entry.right.pcm)).size === entry.right.samples * 2 ? entry.right : undefined
    } catch {
      return undefined
    }
  }

  const touch = (name: string) => utimes(at(name), now(), now()).catch(() => {})

  let held = Number.POSITIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY

  const tidy = async (added: number) => {
    held += added
    if (held > maxCached || now() - lookedAt >= lookSeconds) await clear()
  }

  const clear = async () => {
    lookedAt = now()
    const files = await look(folder)
    const entries = [...files.values()].flatMap(({ name, usedAt }) => {
      const key = /^([0-9a-f]+)\.json$/.exec(name)?.[1]
      const entry = key && find(key)
      return entry ? [{ key, entry, usedAt, bytes: entry.samples * 2 }] : []
    })
    const kept = new Set(entries.map(({ entry }) => entry.pcm))
    // With what other processes are writing, or left when they were killed.
    let total = [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    const goal = total <= maxCached ? maxCached : maxCached * (1 - slack)
    for (const { key, entry, usedAt, bytes } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (total <= goal || now() - usedAt < restSeconds) break
      // Listing takes time: another may have begun to use it.
      if ((await usedAtOf(at(nameOf(key)))) !== usedAt) continue
      await rm(at(nameOf(key)), { force: true })
      await rm(at(entry.pcm), { force: true })
      total -= bytes
    }
    held = total
    for (const { name, changedAt } of files.values()) {
      const age = Date.now() / 1000 - changedAt
      if (name.endsWith('.pcm') && !kept.has(name) && age > restSeconds) await rm(at(name), { force: true })
      if (name.endsWith('.new') && age > restSeconds) await rm(at(name), { force: true })
      if (name.endsWith('.part') && age > partSeconds) await removePart(at(name.slice(0, -'.part'.length)))
    }
  }

  return {
    find,
    touch,
    tidy,
    room: async () => {
      await tidy(0)
      return maxHeld - held
    },
    newPcm: (key) => at(`${key}.${randomUUID()}.pcm`),
    recording: ({ pcm, rate, samples, hash }) => ({
      path: at(pcm),
      rate,
      samples,
      duration: Math.round((samples / rate) * 1e9),
      hash,
    }),
    put: async (key, entry) => {
      const name = at(`${key}.${randomUUID()}.new`)
      await writeFile(name, JSON.stringify(entry), { flush: true })
      await rename(name, at(nameOf(key)))
      await touch(nameOf(key))
    },
  }
}

/** Of a description. */
export const nameOf = (key: string): string => `${key}.json`

/** Seconds; undefined where it is gone. */
const usedAtOf = async (path: string): Promise<number | undefined> => {
  const file = await stat(path).catch(() => undefined)
  return file && file.mtimeMs / 1000
}

interface Found {
  readonly name: string
  readonly bytes: number
  /** Seconds. By the clock for descriptions, by the disk for all else. */
  readonly usedAt: number
  readonly changedAt: number
}

const look = async (folder: string): Promise<Map<string, Found>> => {
  const found = new Map<string, Found>()
  for (const name of await readdir(folder)) {
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (!file?.isFile()) continue
    found.set(name, { name, bytes: file.size, usedAt: file.mtimeMs / 1000, changedAt: file.ctimeMs / 1000 })
  }
  return found
}
