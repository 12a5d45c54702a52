import type { Dirent } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import type { ListedName } from '../../../src/ports/content-store.ts'
import { escapeText } from '../../escape-text.ts'
import { reasonOf } from './failure.ts'
import { decodeName, escapeBytes } from './name.ts'
import { type Root, rootFailure, temporaryPrefix } from './root.ts'

/** A name of a folder, as latin1. */
interface Name {
  readonly bytes: string
  readonly isFolder: boolean
}

/** Names that are left, the next one last. */
interface Folder {
  /** With a slash at the end, except the root. */
  readonly prefix: string
  readonly names: Name[]
}

/**
 * Lists the paths of all files below a folder, in byte order. No file is read: the entries of folders have their types.
 * Memory holds the names of one folder and of those above it.
 */
export async function* names(root: Root, folder = ''): AsyncGenerator<ListedName> {
  const reason = await rootFailure(root)
  if (reason) return yield unknown('.', reason)
  const start = await open(root, folder === '' ? '' : `${folder.replace(/\/$/, '')}/`)
  if ('reason' in start) return yield unknown(escapeText(folder) || '.', start.reason)
  const stack = [start]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const name = top.names.pop()
    if (!name) {
      stack.pop()
      continue
    }
    const text = decodeName(name.bytes)
    if (text === undefined) {
      yield unknown(`${escapeText(top.prefix)}${escapeBytes(name.bytes)}`, 'the name is not valid UTF-8')
      continue
    }
    const path = top.prefix + text
    if (!name.isFolder) {
      if (!text.startsWith(temporaryPrefix)) yield { kind: 'name', path }
      continue
    }
    const below = await open(root, `${path}/`)
    if ('reason' in below) yield unknown(escapeText(path), `folder: ${below.reason}`)
    else stack.push(below)
  }
}

const open = async (root: Root, prefix: string): Promise<Folder | { readonly reason: string }> => {
  const place = prefix === '' ? root.path : join(root.path, prefix).replace(/\/$/, '')
  try {
    // The target of a symbolic link is listed at its own place, or is outside the store.
    if ((await realpath(place)) !== place) return { reason: 'is a symbolic link' }
    const found = await readdir(place, { encoding: 'latin1', withFileTypes: true })
    return { prefix, names: found.flatMap(nameOf).sort(lastFirst) }
  } catch (error) {
    if (isSystemError(error)) return { reason: reasonOf(error) }
    throw error
  }
}

/** Leaves out links and devices: they are no content. */
const nameOf = (entry: Dirent): readonly Name[] =>
  entry.isFile() || entry.isDirectory() ? [{ bytes: entry.name, isFolder: entry.isDirectory() }] : []

/** Sort key: a folder sorts by its name with a slash, as the paths below it do. */
const keyOf = ({ bytes, isFolder }: Name): string => (isFolder ? `${bytes}/` : bytes)

const lastFirst = (a: Name, b: Name): number => {
  const [one, other] = [keyOf(a), keyOf(b)]
  return one < other ? 1 : one > other ? -1 : 0
}

const unknown = (path: string, reason: string): ListedName => ({
  kind: 'skipped',
  skipped: { path, reason, mayBeContent: true },
})
