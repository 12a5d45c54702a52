import type { InFolder, Listed, ListedName, SkippedEntry } from '../../../src/ports/content-store.ts'
import { escapeText } from '../../escape-text.ts'
import { S3Error } from '../../s3/errors.ts'
import { compareKeys } from '../../s3/key-order.ts'
import type { ListedObject } from '../../s3/objects.ts'
import { pathFailure } from '../path.ts'
import { listedEntry } from './entry.ts'
import { reasonOf } from './failure.ts'
import { isMissing } from './head.ts'
import type { BucketRoot } from './root.ts'

type Skipped = { readonly kind: 'skipped'; readonly skipped: SkippedEntry }
type Found = { readonly kind: 'object'; readonly path: string; readonly object: ListedObject } | Skipped

/** Lists every object below a folder, in byte order of the keys. Memory holds one page. */
export async function* list(root: BucketRoot, folder = ''): AsyncGenerator<Listed> {
  for await (const found of objectsBelow(root, folder)) yield listed(found)
}

const listed = (found: Found): Listed =>
  found.kind === 'skipped' ? found : { kind: 'entry', entry: listedEntry(found.path, found.object) }

export async function* names(root: BucketRoot, folder = ''): AsyncGenerator<ListedName> {
  for await (const found of objectsBelow(root, folder))
    yield found.kind === 'skipped' ? found : { kind: 'name', path: found.path }
}

/** Lists what is directly in a folder, which is what keys with its name and a slash make. */
export async function* listOne(root: BucketRoot, folder = ''): AsyncGenerator<InFolder> {
  const path = folder.replace(/\/$/, '')
  const refusal = refusalOf(path)
  if (refusal) return yield refusal
  const subfolders: string[] = []
  let isThere = path === ''
  try {
    for await (const page of root.bucket.list({ prefix: root.prefix + inside(path), delimiter: '/' })) {
      isThere ||= page.objects.length + page.prefixes.length > 0
      const found = page.objects.map((object) => ({ key: object.key, object }))
      const below = page.prefixes.map((prefix) => ({ key: prefix, object: undefined }))
      for (const { key, object } of [...found, ...below].sort((a, b) => compareKeys(a.key, b.key))) {
        const one = object
          ? listed(await classify(root, object))
          : folderAt(key.slice(root.prefix.length, -1))
        if (one.kind === 'folder') subfolders.push(one.path)
        else yield one
      }
    }
  } catch (error) {
    return yield brokenOff(path, error)
  }
  for (const found of subfolders.sort(compareKeys)) yield { kind: 'folder', path: found }
  if (!isThere) yield unknown(path, 'is not there')
}

async function* objectsBelow(root: BucketRoot, folder: string): AsyncGenerator<Found> {
  const path = folder.replace(/\/$/, '')
  const refusal = refusalOf(path)
  if (refusal) return yield refusal
  let isThere = path === ''
  try {
    for await (const { objects } of root.bucket.list({ prefix: root.prefix + inside(path) }))
      for (const object of objects) {
        isThere = true
        yield await classify(root, object)
      }
    if (!isThere) yield await alone(root, path)
  } catch (error) {
    yield brokenOff(path, error)
  }
}

/** A folder that is an object: it is listed alone. */
const alone = async (root: BucketRoot, path: string): Promise<Found> => {
  try {
    return { kind: 'object', path, object: await root.bucket.head(root.prefix + path) }
  } catch (error) {
    if (error instanceof S3Error && error.status === 404) return unknown(path, 'is not there')
    throw error
  }
}

const classify = async (root: BucketRoot, object: ListedObject): Promise<Found> => {
  const path = object.key.slice(root.prefix.length)
  if ((path === '' || path.endsWith('/')) && object.size === 0)
    return { kind: 'skipped', skipped: { path: escapeText(path) || '.', reason: folderMark } }
  const reason = pathFailure(path)
  if (reason) return unnamed(path, `${reason}; copy the object to another key`)
  if (path.includes('\ufffd') && (await isMissing(root, object.key)))
    return unknown(path, 'the name has a character that this server does not list; rename the object')
  return { kind: 'object', path, object }
}

const folderMark = 'is the mark of a folder, as consoles make them, and has no bytes'

const folderAt = (path: string): InFolder => {
  const reason = pathFailure(path)
  return reason === undefined ? { kind: 'folder', path } : unnamed(path, reason)
}

/** Undefined for the root, and for what can be a folder's path. */
const refusalOf = (path: string): Skipped | undefined => {
  const reason = path === '' ? undefined : pathFailure(path)
  return reason === undefined ? undefined : unknown(path, reason)
}

const inside = (path: string): string => path && `${path}/`

/** A listing that is not whole. Throws what is no failure of a request. */
const brokenOff = (path: string, error: unknown): Skipped => {
  if (error instanceof S3Error) return unknown(path, `could not be listed to its end: ${reasonOf(error)}`)
  throw error
}

/** A key that no path can be. Without the slash it might be taken for the root, whose listing is whole all the same. */
const unnamed = (path: string, reason: string): Skipped =>
  unknown(path === '' || path === '.' ? `./${path}` : path, reason)

const unknown = (path: string, reason: string): Skipped => ({
  kind: 'skipped',
  skipped: { path: escapeText(path) || '.', reason, mayBeContent: true },
})
