import type { Validators } from '@fonds/download'
import { DownloadFailure } from '@fonds/download'
import type { Part } from '@fonds/download/http'
import type { TaskContext } from '../../async/task-context.ts'
import type { ContentEntry } from '../../ports/content-store.ts'
import type { TakeRoom } from '../runtime/room.ts'
import { type BucketReach, bucketFile, readBucketFile } from './bucket-file.ts'

interface BucketDownloadOptions {
  readonly reach: BucketReach
  readonly maxBytes: number
  /** Attempts without a byte more. */
  readonly tries: number
  readonly takeRoom: TakeRoom
}

/**
 * Downloads the rest of the part, all of it of one version: another version begins anew. `known`: of the caller's copy;
 * returns 'same' if the object is still of that version. Throws `DownloadFailure`, `MachineFailure`, what `takeRoom`
 * rejects with, and the reason of the signal. The part keeps the bytes received.
 */
export const downloadFromBucket = async (
  uri: string,
  part: Part,
  known: Validators | undefined,
  { reach, maxBytes, tries, takeRoom }: BucketDownloadOptions,
  context: TaskContext,
): Promise<'same' | 'whole'> => {
  let isSame = false
  const begin = async ({ version, size }: ContentEntry): Promise<number | 'nothing'> => {
    isSame = known?.etag === version
    if (isSame) return 'nothing'
    if (size > maxBytes)
      throw new DownloadFailure(
        `${uri} is larger than ${maxBytes} bytes (${size}); raise the limit, or offer it in a smaller form`,
      )
    if (part.representation.etag !== version) await part.begin({ etag: version, total: size })
    return part.size
  }
  const write = async (chunk: Uint8Array): Promise<void> => {
    const { total = part.size } = part.representation
    await takeRoom(chunk.length, total - part.size)
    await part.write(chunk)
  }
  await readBucketFile(uri, bucketFile(uri, reach), { begin, write, tries }, context)
  return isSame ? 'same' : 'whole'
}
