import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { v4 as uuid } from 'uuid'
import { BatchId } from '../../../domain/ingest/ids.ts'
import { DAY } from '../../../domain/kernel/time.ts'
import type { TakeRoom } from '../../runtime/room.ts'
import { type WrittenFile, writeFileBelow } from '../files/write-file.ts'
import { syncFile } from '../work-folder.ts'
import { countingUpTo, type Drop, type DropLimits } from './drop.ts'

/*
 * Folder of submissions that were uploaded over HTTP: `<home>/drop/<batch>/`. Files are written beside it, and moved
 * there when the upload is complete.
 */

export const dropFolder = (home: string): string => join(home, 'drop')
export const dropOf = (home: string, batch: string): string => join(dropFolder(home), batch)
/** Batches with files in this home. */
export const dropsIn = async (home: string): Promise<readonly string[]> =>
  (await readdir(dropFolder(home)).catch(() => [])).filter((name) => BatchId.is(name))
const comingFolder = (home: string): string => join(dropFolder(home), '.coming')

const abandonedMillis = DAY

export const openDrop = async (
  home: string,
  batch: string,
  limits: DropLimits & { readonly takeRoom?: TakeRoom },
  now: number = Date.now(),
): Promise<Drop> => {
  const coming = comingFolder(home)
  await makeFolder(coming)
  await removeAbandoned(coming, now)
  const folder = join(coming, uuid())
  await mkdir(folder)
  const files: WrittenFile[] = []
  const counted = countingUpTo(limits)
  const count = (bytes: number): Promise<void> | undefined => {
    counted.bytes(bytes)
    return limits.takeRoom?.(bytes)
  }
  const to = dropOf(home, batch)
  return {
    files,
    addressOf: (path) => pathToFileURL(`${to}/${path}`).href,
    write: async (name, bytes, algorithms) => {
      counted.file()
      const file = await writeFileBelow(folder, name, bytes, count, algorithms)
      files.push(file)
      return file
    },
    digest: async ({ path, digests }, algorithm) =>
      digests.get(algorithm) ?? digestOf(join(folder, path), algorithm),
    keep: async () => {
      await syncAll(folder, files)
      if (!(await moved(folder, to))) return holdsTheSame(to, files)
      await syncFile(dropFolder(home))
      return true
    },
    isRepeat: async () => ((await isThere(to)) ? holdsTheSame(to, files) : true),
    [Symbol.asyncDispose]: () => removeIfPossible(folder),
  }
}

/**
 * The cause of a failed removal also failed the upload, and explains less here; the folder is abandoned, and removed
 * later.
 */
const removeIfPossible = async (folder: string): Promise<void> => {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const syncAll = async (folder: string, files: readonly WrittenFile[]): Promise<void> => {
  for (const { path } of files) await syncFile(join(folder, path))
  for (const one of new Set(['', ...files.flatMap(({ path }) => foldersOf(path))]))
    await syncFile(join(folder, one))
}

/** `a/b/c.txt` → a/b, a. */
const foldersOf = (path: string): readonly string[] => {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** False if the target exists. */
const moved = async (from: string, to: string): Promise<boolean> => {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** True for the same names with the same bytes. */
const holdsTheSame = async (folder: string, files: readonly WrittenFile[]): Promise<boolean> => {
  const there = (await entriesOf(folder)).filter((entry) => entry.isFile())
  if (there.length !== files.length) return false
  for (const { path, sha256 } of files)
    if ((await digestOf(join(folder, path), 'sha256').catch(() => undefined)) !== sha256) return false
  return true
}

const digestOf = async (path: string, algorithm: DigestAlgorithm): Promise<string> => {
  const digests = await createDigests([algorithm])
  for await (const chunk of createReadStream(path)) digests.update(chunk as Buffer)
  return digests.end().get(algorithm)!
}

const entriesOf = (folder: string) => readdir(folder, { recursive: true, withFileTypes: true })

/** Deletes leftovers of a process that ended during an upload: nothing was written there for a day. */
const removeAbandoned = async (coming: string, now: number): Promise<void> => {
  for (const name of await readdir(coming)) {
    const folder = join(coming, name)
    if (now - (await lastWritten(folder)) > abandonedMillis)
      await rm(folder, { recursive: true, force: true })
  }
}

/** Returns infinity if the folder is deleted meanwhile. */
const lastWritten = async (folder: string): Promise<number> => {
  try {
    const inside = (await entriesOf(folder)).map((entry) => join(entry.parentPath, entry.name))
    const times = await Promise.all([folder, ...inside].map(async (path) => (await stat(path)).mtimeMs))
    return Math.max(...times)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
