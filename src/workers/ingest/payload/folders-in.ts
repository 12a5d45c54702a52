import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TaskContext } from '../../../async/task-context.ts'
import { isInBucket } from '../../buckets/bucket-file.ts'
import { localPath } from '../fetch/local-file.ts'
import { quoted } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'
import { isOfFileManager } from './bag-folder.ts'
import { folderRows, nameOf, type Reach } from './folder-rows.ts'
import { type FolderType, typeOfFolder, typeOfListed } from './type-of-folder.ts'

interface FoundFolder {
  readonly name: string
  readonly url: string
  readonly type: FolderType
}

/**
 * Finds the folders directly below a folder, local or in a bucket, each a folder or a bag. What file managers leave
 * beside them is left out. Throws `UnusableContent`, also for any other file beside them: it would be in no object.
 */
export async function* foldersIn(
  url: string,
  reach: Reach,
  context: TaskContext,
): AsyncGenerator<FoundFolder> {
  if (isInBucket(url)) return yield* inBucket(url, reach, context)
  const root = await localPath(url, reach.folders)
  if (!(await stat(root)).isDirectory()) throw new UnusableContent(`${url} is no folder; submit it as a file`)
  for (const entry of await readdir(root, { withFileTypes: true, encoding: 'buffer' })) {
    context.signal.throwIfAborted()
    context.progress()
    const name = nameOf(entry, '')
    if (isOfFileManager(entry.isDirectory() ? `${name}/` : name)) continue
    if (!entry.isDirectory()) throw besideFolders(name)
    const place = join(root, name)
    yield { name, url: pathToFileURL(`${place}/`).href, type: await typeOfFolder(place) }
  }
}

async function* inBucket(url: string, reach: Reach, context: TaskContext): AsyncGenerator<FoundFolder> {
  const names = new Set<string>()
  for await (const { path } of folderRows(url, reach, context)) {
    if (isOfFileManager(path)) continue
    const end = path.indexOf('/')
    if (end < 0) throw besideFolders(path)
    names.add(path.slice(0, end))
  }
  for (const name of names) {
    const folder = `${url.replace(/\/+$/, '')}/${name}/`
    yield { name, url: folder, type: await typeOfListed(folderRows(folder, reach, context)) }
  }
}

const besideFolders = (name: string): UnusableContent =>
  new UnusableContent(
    `${quoted(name)} is no folder, and each folder is to be an object; put it into one, or submit it on its own`,
  )
