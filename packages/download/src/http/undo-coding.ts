import { constants, copyFile, type FileHandle, open, unlink } from 'node:fs/promises'
import { DownloadFailure, PermanentFailure } from '../failures.ts'
import { withoutLogin } from '../login.ts'
import type { TakeRoom } from '../take-room.ts'
import type { Watch } from '../watch.ts'
import { decoded, mayBeCoded } from './coding.ts'
import type { Part } from './part.ts'

export interface CodingOptions {
  readonly maxBytes: number
  /** Reserves room on the part's disk. Default: there is room. */
  readonly takeRoom?: TakeRoom
  /** Whether the part as it came is the wanted file; undefined where nothing tells. Default: nothing does. */
  readonly isWanted?: (part: Part) => Promise<boolean | undefined>
}

/**
 * Leaves the wanted file in a part that is whole: as it came, or with its coding undone. A part whose coding is undone
 * is not resumed. Throws `DownloadFailure`, the error that `takeRoom` rejects with, and the reason of the signal.
 */
export const undoCoding = async (
  uri: string,
  part: Part,
  { maxBytes, takeRoom, isWanted }: CodingOptions,
  { signal, progress }: Watch,
): Promise<void> => {
  const { coding, isOwnCoding = false } = part.representation
  if (coding === undefined) return
  const known = await isWanted?.(part)
  if (known === true || (known === undefined && isOwnCoding)) return
  await takeRoom?.(part.size)
  const file = await openCopy(part.path)
  try {
    const beginning = Buffer.alloc(8)
    await file.read(beginning, 0, beginning.length, 0)
    if (!mayBeCoded(coding, beginning)) return
    await part.begin({})
    for await (const chunk of decoded(file.createReadStream({ start: 0, autoClose: false }), coding)) {
      signal.throwIfAborted()
      if (part.size + chunk.length > maxBytes)
        throw new PermanentFailure(
          `is larger than ${maxBytes} bytes once it is unpacked; raise the limit, or offer it in a smaller form`,
        )
      await takeRoom?.(chunk.length)
      await part.write(chunk)
      progress()
    }
  } catch (error) {
    if (!(error instanceof PermanentFailure)) throw error
    throw new DownloadFailure(`${withoutLogin(uri)} ${error.message}`, { cause: error })
  } finally {
    await file.close()
  }
}

/** A copy without a name: nothing of it stays when the process is killed. */
const openCopy = async (path: string): Promise<FileHandle> => {
  const copy = `${path}.coded`
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    return await open(copy, 'r')
  } finally {
    await unlink(copy).catch(() => {})
  }
}
