import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removePart } from '@fonds/download/http'
import { type Entry, keyIn, pcmBytes, readEntry } from './cache-entry.ts'

/* Eviction from a folder of recordings that several processes share. Times are in seconds. */

interface Listed {
  readonly name: string
  readonly bytes: number
  /** By the clock for descriptions, by the disk for all other files. */
  readonly usedAt: number
  readonly changedAt: number
}

interface ListedEntry extends Listed {
  readonly entry: Entry
}

interface Listing {
  readonly files: readonly Listed[]
  readonly entries: readonly ListedEntry[]
}

/** This share is freed when the bound is reached: the next recordings then need no listing. */
const slack = 0.05
/** Downloads that were not resumed for so long are removed. */
const partSeconds = 86_400

export const list = async (folder: string): Promise<Listing> => {
  const files: Listed[] = []
  for (const name of await readdir(folder)) {
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (!file?.isFile()) continue
    files.push({ name, bytes: file.size, usedAt: file.mtimeMs / 1000, changedAt: file.ctimeMs / 1000 })
  }
  const entries = files.flatMap((file) => {
    const key = keyIn(file.name)
    const entry = key === undefined ? undefined : readEntry(folder, key)
    return entry ? [{ ...file, entry }] : []
  })
  return { files, entries }
}

/** Removes entries that were not used since `unusedSince`, the least recently used first. Returns the bytes that stay. */
export const evict = async (
  folder: string,
  { files, entries }: Listing,
  { maxCached, unusedSince }: { readonly maxCached: number; readonly unusedSince: number },
): Promise<number> => {
  // Includes files that other processes are writing, or left when they were killed.
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const goal = total <= maxCached ? maxCached : maxCached * (1 - slack)
  for (const { name, entry, usedAt } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= goal || usedAt > unusedSince) break
    const path = join(folder, name)
    // Listing takes time: another process may have begun to use it.
    if ((await usedAtOf(path)) !== usedAt) continue
    await rm(path, { force: true })
    await rm(join(folder, entry.pcm), { force: true })
    total -= pcmBytes(entry)
  }
  return total
}

/** Removes leftovers of processes that ended before they were done. */
export const removeLeftovers = async (
  folder: string,
  { files, entries }: Listing,
  restSeconds: number,
): Promise<void> => {
  const named = new Set(entries.map(({ entry }) => entry.pcm))
  for (const { name, changedAt } of files) {
    const path = join(folder, name)
    const age = Date.now() / 1000 - changedAt
    if (name.endsWith('.pcm') && !named.has(name) && age > restSeconds) await rm(path, { force: true })
    if (name.endsWith('.new') && age > restSeconds) await rm(path, { force: true })
    if (name.endsWith('.part') && age > partSeconds) await removePart(path.slice(0, -'.part'.length))
  }
}

/** Undefined if the file is missing. */
const usedAtOf = async (path: string): Promise<number | undefined> => {
  const file = await stat(path).catch(() => undefined)
  return file && file.mtimeMs / 1000
}
