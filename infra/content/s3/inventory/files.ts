import { posix, resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { isBucketAddress } from '../../../../src/domain/kernel/bucket-address.ts'
import type { ContentFailure, ContentStore } from '../../../../src/ports/content-store.ts'
import { ContentRootError } from '../../content-root-error.ts'
import { InventoryError } from './error.ts'

/** The files of an inventory, in a bucket or in a folder. */
export interface InventoryFiles {
  /** A name for messages. */
  readonly nameOf: (path: string) => string
  /** Path of the manifest. */
  readonly manifest: string
  /** Paths at which the file of a key may be: it is at the first that is there. */
  readonly pathsOf: (key: string) => readonly string[]
  readonly store: ContentStore
}

/** `openContent` opens `s3://bucket`, or a folder. Throws `InventoryError`. */
export const filesOf = (address: string, openContent: (root: string) => ContentStore): InventoryFiles => {
  if (!isBucketAddress(address)) return filesIn(resolve(address), openContent)
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]*)\/(.*)$/is.exec(address) ?? []
  if (!key || key.endsWith('/'))
    throw new InventoryError(`${address} names no object; give s3://bucket/path/manifest.json`)
  const root = `s3://${bucket}`
  return {
    nameOf: (path) => `${root}/${path}`,
    manifest: key,
    // By AWS it is written to one bucket, with its manifest.
    pathsOf: (file) => [file],
    store: opened(root, openContent),
  }
}

/** A copy on this machine, laid out as in the bucket, or all in one folder. */
const filesIn = (manifest: string, openContent: (root: string) => ContentStore): InventoryFiles => {
  const folder = posix.dirname(posix.dirname(manifest))
  const own = posix.basename(posix.dirname(manifest))
  const at = (...names: readonly string[]) => names.filter((name) => name !== '').join('/')
  return {
    nameOf: (path) => posix.join(folder, path),
    manifest: at(own, posix.basename(manifest)),
    pathsOf: (key) => {
      const name = posix.basename(key)
      return [at(own, name), at(own, 'data', name), at('data', name)]
    },
    store: opened(folder, openContent),
  }
}

const opened = (root: string, openContent: (root: string) => ContentStore): ContentStore => {
  try {
    return openContent(root)
  } catch (error) {
    if (error instanceof ContentRootError) throw new InventoryError(error.message)
    throw error
  }
}

const maxBytesAtOnce = 64 * 1024 ** 2

/** Reads a small file. Undefined if it is not there. Throws `InventoryError`. */
export const bytesOf = async (
  { store, nameOf }: InventoryFiles,
  path: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  const read = await store.read(path, { signal }, (chunk) => {
    size += chunk.byteLength
    if (size > maxBytesAtOnce)
      throw new InventoryError(`${nameOf(path)} has more than 64 MiB: it is no manifest of an inventory`)
    chunks.push(Uint8Array.from(chunk))
  })()
  if (!isLeft(read)) return Buffer.concat(chunks)
  if (read.left.kind === 'NotFound') return undefined
  throw new InventoryError(`${nameOf(path)} cannot be read: ${reasonOf(read.left)}`)
}

/** The path at which the file of a key is. Throws `InventoryError`. */
export const placeOf = async (
  { store, nameOf, pathsOf }: InventoryFiles,
  key: string,
): Promise<{ readonly path: string; readonly version: string; readonly size: number }> => {
  const paths = pathsOf(key)
  for (const path of paths) {
    const found = await store.stat(path)()
    if (!isLeft(found)) return found.right
    if (found.left.kind !== 'NotFound')
      throw new InventoryError(`${nameOf(path)} cannot be read: ${reasonOf(found.left)}`)
  }
  throw new InventoryError(
    `${paths.map(nameOf).join(', nor ')} is not there, and the manifest names it; ` +
      'fetch the files of the inventory again, or name the manifest of a newer one',
  )
}

export const reasonOf = (failure: ContentFailure): string =>
  'reason' in failure
    ? failure.reason
    : failure.kind === 'NotFound'
      ? 'it is not there'
      : 'it changed meanwhile; try again'
