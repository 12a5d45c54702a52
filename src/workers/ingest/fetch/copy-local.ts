import { closeSync, fsyncSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import type { TakeRoom } from '../../runtime/room.ts'
import { openNew, openNewOrBeside } from '../files/open-new.ts'
import { blockingCalls } from './file-calls.ts'
import { openLocal } from './local-file.ts'
import { type Fetched, failUnlessSame, type Wanted } from './wanted.ts'

export interface LocalCopy extends Wanted {
  /** Folders beneath which files may be read; undefined: any. */
  readonly folders: readonly string[] | undefined
  readonly to: string
  /** Path of the new file if `to` exists, which it then replaces, or if it is to be atomic. */
  readonly beside: string
  /** Atomic, even after a kill or a power cut. */
  readonly whole: boolean
}

const chunkBytes = 1024 ** 2
const chunk = Buffer.allocUnsafeSlow(chunkBytes)

/**
 * Runs in a thread of its own: copies and digests a local file in one reading. `breathe` is called between chunks, and
 * may throw. Throws `NoRoom`. The new file has no other writer: a file that another worker began stays that worker's.
 */
export const copyLocal = async (
  copy: LocalCopy,
  breathe: () => Promise<void>,
  takeRoom: TakeRoom,
): Promise<Fetched> => {
  await using file = await openLocal(copy.url, copy.folders, blockingCalls)
  const digests = await createDigests(['sha256', ...(copy.digest ? [copy.digest.algorithm] : [])])
  const target = copy.whole ? openNew(copy.beside) : openNewOrBeside(copy.to, copy.beside)
  try {
    let size = 0
    for (;;) {
      const read = await file.read(chunk, size)
      if (read === 0) break
      const bytes = chunk.subarray(0, read)
      digests.update(bytes)
      const room = takeRoom(read, file.size - size)
      if (room) await room
      for (let done = 0; done < read; ) done += writeSync(target.file, bytes, done)
      size += read
      await breathe()
    }
    await file.failIfChanged()
    const found: ReadonlyMap<DigestAlgorithm, string> = digests.end()
    failUnlessSame(copy, size, found)
    if (copy.whole) fsyncSync(target.file)
    if (target.path !== copy.to) renameSync(target.path, copy.to)
    return { size, sha256: found.get('sha256')! }
  } catch (error) {
    // Deleted by its path: another worker that took over the work folder may have found it whole, and storage may have
    // a link to it.
    rmSync(target.path, { force: true })
    throw error
  } finally {
    closeSync(target.file)
  }
}
