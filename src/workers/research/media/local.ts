import { createHash } from 'node:crypto'
import { constants, realpathSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Validators } from '@fonds/download'
import { isBeneath } from '../../../async/is-beneath.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { whyUnreadable } from '../../runtime/unreadable-file.ts'
import { MediaFailure } from '../recording.ts'
import type { MediaFile } from './media-file.ts'
import type { RecordingsSettings } from './recordings-options.ts'

interface LocalFile extends AsyncDisposable {
  readonly handle: FileHandle
  readonly bytes: number
  readonly validators: Validators
  /** False if the file was written to. */
  isSame(): Promise<boolean>
}

export const isLocal = (uri: string): boolean => uri.startsWith('file:')

/** Does not wait for the writer of a pipe; follows no link that was created since the path was resolved. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a regular file beneath one of the folders, if there are any. Throws `MediaFailure`. */
export const openLocal = async (uri: string, folders: readonly string[] | undefined): Promise<LocalFile> => {
  try {
    const path = await realpath(fileURLToPath(uri))
    if (!isAllowed(path, folders)) throw outside(uri)
    const handle = await open(path, flags)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw failure(uri, 'is not a file; name the file itself')
      if (!isAllowed(await placeOf(handle, path), folders)) throw outside(uri)
      const validators = validatorsOf(found)
      return {
        handle,
        bytes: found.size,
        validators,
        isSame: async () => validatorsOf(await handle.stat()).etag === validators.etag,
        [Symbol.asyncDispose]: () => handle.close(),
      }
    } catch (error) {
      await handle.close()
      throw error
    }
  } catch (error) {
    if (error instanceof MediaFailure) throw error
    throw failure(uri, whyUnreadable(error), error)
  }
}

/**
 * Passes the file to `use`, with its digest. Throws `MediaFailure`, the reason of the signal, and what `use` throws.
 */
export const readLocal = async <A>(
  uri: string,
  { folders, maxBytes }: Pick<RecordingsSettings, 'folders' | 'maxBytes'>,
  context: TaskContext,
  use: (file: MediaFile) => Promise<A>,
): Promise<A> => {
  await using file = await openLocal(uri, folders)
  if (file.bytes > maxBytes)
    throw failure(uri, `is larger than ${maxBytes} bytes (${file.bytes}); raise the limit`)
  const hash = await hashFile(file.handle, context.signal, context.progress)
  const used = await use({ ...file, hash })
  if (await file.isSame()) return used
  throw failure(uri, 'changed while it was read; try again when nobody writes to it')
}

/** Returns the validators of a file without reading it; undefined if there is none that may be read. */
export const localValidators = (
  uri: string,
  folders: readonly string[] | undefined,
): Validators | undefined => {
  try {
    const path = realpathSync(fileURLToPath(uri))
    if (!isAllowed(path, folders)) return undefined
    return validatorsOf(statSync(path))
  } catch {
    return undefined
  }
}

const validatorsOf = ({ size, mtimeMs }: Stats) => ({ etag: `${size}-${mtimeMs}` })

/**
 * Returns the path of the opened file: a folder above it may have become a link meanwhile. Resolves its name if there
 * is no /proc.
 */
const placeOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path))

/** `path` without links. */
const isAllowed = (path: string, folders: readonly string[] | undefined): boolean =>
  folders === undefined || isBeneath(path, folders.flatMap(realOf))

const realOf = (folder: string): readonly string[] => {
  try {
    return [realpathSync(folder)]
  } catch {
    return []
  }
}

const outside = (uri: string): MediaFailure =>
  failure(uri, 'is not in a folder that may be read; move it there, or allow its folder')

const failure = (uri: string, why: string, cause?: unknown): MediaFailure =>
  new MediaFailure('download', `${uri} ${why}`, cause === undefined ? {} : { cause })

/** Returns the SHA-256 in lower-case hex. `onBytes` is called for each chunk. Throws the reason of the signal. */
export const hashFile = async (
  file: FileHandle,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<string> => {
  // A stream whose signal is aborted already emits an error that nobody can catch.
  signal.throwIfAborted()
  const digest = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, signal })) {
    digest.update(chunk)
    onBytes()
  }
  return digest.digest('hex')
}
