import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Listed } from '../../../ports/content-store.ts'
import { isInBucket } from '../../buckets/bucket-file.ts'
import { utf8Text } from '../../runtime/utf8.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { isLocal, localPath } from '../fetch/local-file.ts'
import { quoted, whyNotName } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'
import type { AnnouncedDigests } from '../submit/announced-digests.ts'

export interface FolderRow {
  /** Relative to the folder, with `/`. */
  readonly path: string
  readonly url: string
  /** Bytes. */
  readonly size: number
  /** As the depositor announced it, of what was uploaded to the bucket of the storage. */
  readonly digest?: { readonly algorithm: 'sha256'; readonly value: string }
}

export interface Reach {
  /** Folders beneath which local files must lie; undefined: anywhere. */
  readonly folders: readonly string[] | undefined
  readonly fetcher: Pick<Fetcher, 'list'>
  readonly announced: AnnouncedDigests
}

/**
 * Lists the files of a local folder, sorted by name, or below a prefix in a bucket, by key, and calls `onEmpty` for each folder without an entry. Only files
 * and folders may be in an object: links could lead anywhere. Throws `UnusableContent` and `DownloadFailure`.
 */
export async function* folderRows(
  url: string,
  { folders, fetcher, announced }: Reach,
  context: TaskContext,
  onEmpty: (path: string) => void = () => {},
): AsyncGenerator<FolderRow> {
  if (isInBucket(url)) return yield* bucketRows(fetcher.list(url, context), url, await announced(url))
  if (!isLocal(url)) throw new UnusableContent(`${url} is no folder of this machine; submit a manifest of it`)
  const root = await localPath(url, folders)
  if (!(await stat(root)).isDirectory()) throw new UnusableContent(`${url} is no folder; submit it as a file`)
  yield* below(root, '', context, onEmpty)
}

/**
 * Fails on a key that cannot be named: it would be missing from the object. What was uploaded has a list, and is there
 * as listed.
 */
async function* bucketRows(
  listed: AsyncIterable<Listed>,
  url: string,
  digests: ReadonlyMap<string, string> | undefined,
): AsyncGenerator<FolderRow> {
  const missing = new Set(digests?.keys())
  for await (const one of listed) {
    if (one.kind === 'entry') {
      const { path, size } = one.entry
      const why = whyNotName(path)
      if (why) throw new UnusableContent(`the name ${quoted(path)} ${why}`)
      const value = digests?.get(path)
      if (digests && value === undefined)
        throw new UnusableContent(
          `${quoted(path)} lies among the uploaded files, and was not submitted with them`,
        )
      missing.delete(path)
      yield {
        path,
        url: `${url.replace(/\/+$/, '')}/${path}`,
        size,
        ...(value !== undefined && { digest: { algorithm: 'sha256', value } }),
      }
    } else if (one.skipped.mayBeContent)
      throw new UnusableContent(`${quoted(one.skipped.path)} cannot be taken in: ${one.skipped.reason}`)
  }
  const [absent] = missing
  if (absent !== undefined)
    throw new UnusableContent(`${quoted(absent)} was uploaded, and is not there any more; submit it again`)
}

async function* below(
  root: string,
  folder: string,
  context: TaskContext,
  onEmpty: (path: string) => void,
): AsyncGenerator<FolderRow> {
  const entries = await entriesOf(root, folder)
  if (entries.length === 0 && folder !== '') onEmpty(folder.slice(0, -1))
  for (const { name, entry } of entries) {
    context.signal.throwIfAborted()
    context.progress()
    const path = `${folder}${name}`
    const why = whyNotName(path)
    if (why) throw new UnusableContent(`the name ${quoted(path)} ${why}`)
    const place = join(root, path)
    if (entry.isDirectory()) yield* below(root, `${path}/`, context, onEmpty)
    else if (entry.isFile()) yield { path, url: pathToFileURL(place).href, size: (await stat(place)).size }
    else throw new UnusableContent(`${quoted(path)} is neither a file nor a folder`)
  }
}

const entriesOf = async (root: string, folder: string) =>
  (await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' }))
    .map((entry) => ({ entry, name: nameOf(entry, folder) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

export const nameOf = ({ name }: Dirent<Buffer>, folder: string): string => {
  const text = utf8Text(name)
  if (text === undefined)
    throw new UnusableContent(
      `the name ${quoted(folder + name.toString('latin1'))} (its bytes read as Latin-1) is no UTF-8, which a name in an object has to be; rename it`,
    )
  return text
}
