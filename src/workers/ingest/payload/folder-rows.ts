import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TaskContext } from '../../../async/task-context.ts'
import { utf8Text } from '../../runtime/utf8.ts'
import { isLocal, localPath } from '../fetch/local-file.ts'
import { quoted, whyNotName } from '../files/file-name.ts'
import { UnusableContent } from '../files/write-file.ts'

interface FolderRow {
  /** Relative to the folder, with `/`. */
  readonly path: string
  readonly url: string
  /** Bytes. */
  readonly size: number
}

/**
 * Lists the files of a local folder, sorted by name, and calls `onEmpty` for each folder without an entry. Only files
 * and folders may be in an object: links could lead anywhere. Throws `UnusableContent` and `DownloadFailure`.
 */
export async function* folderRows(
  url: string,
  folders: readonly string[] | undefined,
  context: TaskContext,
  onEmpty: (path: string) => void = () => {},
): AsyncGenerator<FolderRow> {
  if (!isLocal(url)) throw new UnusableContent(`${url} is no folder of this machine; submit a manifest of it`)
  const root = await localPath(url, folders)
  if (!(await stat(root)).isDirectory()) throw new UnusableContent(`${url} is no folder; submit it as a file`)
  yield* below(root, '', context, onEmpty)
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

const nameOf = ({ name }: Dirent<Buffer>, folder: string): string => {
  const text = utf8Text(name)
  if (text === undefined)
    throw new UnusableContent(
      `the name ${quoted(folder + name.toString('latin1'))} (its bytes read as Latin-1) is no UTF-8, which a name in an object has to be; rename it`,
    )
  return text
}
