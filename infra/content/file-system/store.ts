import { isMainThread } from 'node:worker_threads'
import { isSystemError } from '@fonds/toolbox'
import type { ContentStore } from '../../../src/ports/content-store.ts'
import { refused } from '../failed.ts'
import { blockingCalls, yieldingCalls } from './calls.ts'
import { entryOf, whyNotContent } from './entry.ts'
import { attempt } from './failure.ts'
import { list, listOne } from './list.ts'
import { names } from './names.ts'
import { readFile } from './read.ts'
import { createReadAtOnce } from './read-at-once.ts'
import { checkRoot, createRoot, isLink, locate, type Root } from './root.ts'
import { deleteFile, writeFile } from './write.ts'

interface FileSystemOptions {
  /** `read` opens and closes files with blocking calls. Default: in any thread but the main one. */
  readonly blocking?: boolean
}

/**
 * Content as a tree of files below `root`. Throws `ContentRootError` where `root` is no folder that can be opened.
 * Where the root goes away later (a disk is unmounted), all calls fail as `Unreadable`, and none as `NotFound`.
 */
export const createFileSystemStore = (
  rootPath: string,
  { blocking = !isMainThread }: FileSystemOptions = {},
): ContentStore => {
  const root = createRoot(rootPath, blocking ? blockingCalls : yieldingCalls)
  return {
    list: (prefix) => list(root, prefix),
    folder: (path) => listOne(root, path),
    names: (folder) => names(root, folder),
    stat: (path) => attempt(path, () => orRootMissing(root, path, () => statFile(root, path))),
    read: (path, options, onChunk) =>
      attempt(path, () => orRootMissing(root, path, () => readFile(root, path, options, onChunk))),
    ...(blocking && { readAtOnce: createReadAtOnce(root) }),
    write: (path, bytes) =>
      attempt(path, () => orRootMissing(root, path, () => writeFile(root, path, bytes))),
    delete: (path) => attempt(path, () => orRootMissing(root, path, () => deleteFile(root, path))),
  }
}

/** A hash thread takes the default export of whatever module it is given. */
export default createFileSystemStore

const statFile = async (root: Root, path: string) => {
  const real = await locate(root, path)
  const stats = await root.calls.statPath(real)
  const reason = whyNotContent(stats)
  if (reason) throw refused(path, reason)
  return { ...entryOf(path, stats), isLink: isLink(root, path, real) }
}

/** Before a file is said to be missing, the root is checked. */
const orRootMissing = async <A>(root: Root, path: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') await checkRoot(root, path)
    throw error
  }
}
