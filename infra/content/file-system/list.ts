import type { BigIntStats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import type { InFolder, Listed } from '../../../src/ports/content-store.ts'
import { escapeText } from '../../escape-text.ts'
import { Failed } from '../failed.ts'
import { pathFailure } from '../path.ts'
import { entryOf, whyNotContent } from './entry.ts'
import { reasonOf } from './failure.ts'
import { decodeName, escapeBytes } from './name.ts'
import { locatePlace, type Root, rootFailure, temporaryPrefix } from './root.ts'

/** How many files are inspected side by side. */
const width = 32

/**
 * A folder's own files, in byte order of their names, then its subfolders in that order. Memory holds the names of
 * one folder and of the subfolders still to come. Symbolic links are never followed: the bytes they lead to are
 * listed at their own place, or are not the store's.
 */
export async function* list(root: Root, prefix = ''): AsyncGenerator<Listed> {
  const reason = await rootFailure(root)
  if (reason) return yield skipUnknown('.', reason)

  const start = await inspectPrefix(root, prefix.replace(/\/$/, ''))
  if (start.kind !== 'folder') return yield start
  const waiting = [start.path]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const subfolders: string[] = []
    for await (const found of listFolder(root, folder))
      if (found.kind === 'folder') subfolders.push(found.path)
      else yield found
    for (const subfolder of subfolders.reverse()) waiting.push(subfolder)
  }
}

/** Lists one folder: its own files and what is skipped, in byte order of their names, then its subfolders. */
export async function* listOne(root: Root, folder = ''): AsyncGenerator<InFolder> {
  const reason = await rootFailure(root)
  if (reason) return yield skipUnknown('.', reason)
  const path = folder.replace(/\/$/, '')
  const refusal = path === '' ? undefined : pathFailure(path)
  if (refusal) return yield skipUnknown(escapeText(path), refusal)
  yield* listFolder(root, path)
}

/** The prefix itself: nearly always a folder; a file is listed alone. */
const inspectPrefix = async (root: Root, prefix: string): Promise<InFolder> => {
  if (prefix === '') return { kind: 'folder', path: '' }
  try {
    return classify(prefix, await lstat(await locatePlace(root, prefix), { bigint: true }))
  } catch (error) {
    return skipUnknown(escapeText(prefix), whyNot(error))
  }
}

async function* listFolder(root: Root, folder: string): AsyncGenerator<InFolder> {
  const place = join(root.path, folder)
  const names = await namesIn(place)
  if (!Array.isArray(names)) return yield skipUnknown(escapeText(folder) || '.', `folder: ${names.reason}`)
  const subfolders: InFolder[] = []
  for (let i = 0; i < names.length; i += width)
    for (const found of await Promise.all(
      names.slice(i, i + width).map((name) => inspect(place, folder, name)),
    ))
      if (found?.kind === 'folder') subfolders.push(found)
      else if (found) yield found
  yield* subfolders
}

const namesIn = async (place: string): Promise<string[] | { readonly reason: string }> => {
  try {
    // A folder can be swapped for a link between being seen and being opened.
    if ((await realpath(place)) !== place)
      return { reason: 'was replaced by a symbolic link while it was listed' }
    return (await readdir(place, { encoding: 'latin1' })).sort(byBytes)
  } catch (error) {
    return { reason: whyNot(error) }
  }
}

/** Undefined where it was deleted since its folder was read. */
const inspect = async (place: string, folder: string, bytes: string): Promise<InFolder | undefined> => {
  const prefix = folder === '' ? '' : `${folder}/`
  const name = decodeName(bytes)
  if (name === undefined)
    return skipUnknown(
      `${escapeText(prefix)}${escapeBytes(bytes)}`,
      'the name is not valid UTF-8; rename it so that it can be kept track of',
    )
  try {
    return classify(prefix + name, await lstat(join(place, name), { bigint: true }))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined
    return skipUnknown(escapeText(prefix + name), whyNot(error))
  }
}

const classify = (path: string, stats: BigIntStats): InFolder => {
  if (stats.isDirectory()) return { kind: 'folder', path }
  const reason = whyNotContent(stats)
  if (reason) return skip(escapeText(path), reason)
  if (path.slice(path.lastIndexOf('/') + 1).startsWith(temporaryPrefix))
    return skip(escapeText(path), 'is an unfinished write; delete it unless one is under way')
  return { kind: 'entry', entry: entryOf(path, stats) }
}

const skip = (path: string, reason: string): Listed => ({ kind: 'skipped', skipped: { path, reason } })

const skipUnknown = (path: string, reason: string): Listed => ({
  kind: 'skipped',
  skipped: { path, reason, mayBeContent: true },
})

const whyNot = (error: unknown): string => {
  if (isSystemError(error)) return reasonOf(error)
  if (error instanceof Failed && 'reason' in error.failure) return error.failure.reason
  throw error
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
