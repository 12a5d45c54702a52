import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { quoted, whyNotName } from './file-name.ts'

/** A file of an object, as written or read. */
export interface WrittenFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  /** The requested digests, and SHA-256. */
  readonly digests: ReadonlyMap<DigestAlgorithm, string>
}

/** Submitted content is unusable, and a retry would not help (ingest X8, X13). */
export class UnusableContent extends Error {
  override readonly name = 'UnusableContent'
}

/** Throws `UnusableContent`. */
export const failUnlessName = (path: string): void => {
  const why = whyNotName(path)
  if (why) throw new UnusableContent(`the name ${quoted(path)} ${why}`)
}

/**
 * Writes a new file below the folder, in the memory of a chunk. Throws what `onBytes` throws, and `UnusableContent` if
 * the name is invalid or taken.
 */
export const writeFileBelow = async (
  folder: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => Promise<void> | undefined = () => undefined,
  algorithms: readonly DigestAlgorithm[] = [],
): Promise<WrittenFile> => {
  failUnlessName(path)
  const file = await openNew(join(folder, path), path)
  try {
    const digests = await createDigests(['sha256', ...algorithms])
    let size = 0
    for await (const chunk of bytes) {
      const room = onBytes(chunk.length)
      if (room) await room
      digests.update(chunk)
      for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten
      size += chunk.length
    }
    const found = digests.end()
    return { path, size, sha256: found.get('sha256')!, digests: found }
  } finally {
    await file.close()
  }
}

const openNew = async (place: string, path: string) => {
  try {
    await makeFolder(dirname(place))
    return await open(place, 'wx')
  } catch (error) {
    throw takenOr(error, path)
  }
}

/**
 * Returns the error for a file that could not be created: `UnusableContent` if its name is taken, or else that of the
 * disk.
 */
export const takenOr = (error: unknown, path: string): unknown =>
  isSystemError(error, 'EEXIST', 'EISDIR', 'ENOTDIR')
    ? new UnusableContent(`two are named ${quoted(path)}, or it would be a file and the folder of another`)
    : error
