import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { createDigests } from '@fonds/digests/compute'
import type { TakeRoom } from '../../runtime/room.ts'
import { openNew } from '../files/open-new.ts'
import { failUnlessName, takenOr } from '../files/write-file.ts'
import { writeWhole } from '../files/write-files.ts'
import type { FileEntry } from './entry.ts'

/** A file of a container, as written. */
export interface UnpackedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

/**
 * Writes a new file below the folder, in the memory of a piece. Blocks its thread. Throws `NoRoom`, and
 * `UnusableContent` if the name is invalid or taken.
 */
export const writeEntry = async (
  folder: string,
  { path, bytes }: FileEntry,
  takeRoom: TakeRoom,
): Promise<UnpackedFile> => {
  failUnlessName(path)
  const file = openBelow(folder, path)
  try {
    const digests = await createDigests(['sha256'])
    let size = 0
    for await (const piece of bytes) {
      digests.update(piece)
      const room = takeRoom(piece.length)
      if (room) await room
      writeWhole(file, piece)
      size += piece.length
    }
    return { path, size, sha256: digests.end().get('sha256')! }
  } finally {
    closeSync(file)
  }
}

const openBelow = (folder: string, path: string): number => {
  try {
    return openNew(join(folder, path)).file
  } catch (error) {
    throw takenOr(error, path)
  }
}
