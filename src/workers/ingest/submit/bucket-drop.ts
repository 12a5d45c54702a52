import { createDigests } from '@fonds/digests/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import { UnavailableError } from '../../../async/unavailable.ts'
import type { UploadArea } from '../../../ports/upload-area.ts'
import { quoted } from '../files/file-name.ts'
import { failUnlessName, UnusableContent, type WrittenFile } from '../files/write-file.ts'
import { countingUpTo, type Drop, type DropLimits } from './drop.ts'
import { createNames } from './names.ts'
import { digestInArea, uploadList } from './upload-list.ts'

/*
 * Submissions that were uploaded over HTTP, in a bucket: `<batch>/<upload>/<path>`. A bucket renames nothing, so each
 * request has a folder of its own, and the first that is complete leaves its list of files as `<batch>/upload.json`.
 */

/** Bytes of a key in S3. */
const maxKeyBytes = 1024

interface BucketDropLimits extends DropLimits {
  /** Called before the first file. */
  readonly failIfStrange: () => Promise<void>
}

export const openBucketDrop = (area: UploadArea, batch: string, limits: BucketDropLimits): Drop => {
  const upload = uuid()
  const folder = `${batch}/${upload}`
  const files: WrittenFile[] = []
  const counted = countingUpTo(limits)
  const names = createNames()
  let isKept = false

  const list = uploadList(area, { batch, upload, files })

  return {
    files,
    addressOf: (path) => `${area.address}${folder}/${path}`,
    write: async (path, bytes, algorithms = []) => {
      counted.file()
      if (files.length === 0) await limits.failIfStrange()
      failUnlessName(path)
      names.take(path)
      const spare = maxKeyBytes - Buffer.byteLength(`${area.address}${folder}/`)
      if (Buffer.byteLength(path) > spare)
        throw new UnusableContent(
          `the name ${quoted(path)} has more than ${spare} bytes, which no bucket takes`,
        )
      const digests = await createDigests(['sha256', ...algorithms])
      let size = 0
      const passing = async function* () {
        for await (const chunk of bytes) {
          counted.bytes(chunk.length)
          digests.update(chunk)
          size += chunk.length
          yield chunk
        }
      }
      const written = await area.write(`${folder}/${path}`, passing())()
      if (isLeft(written)) {
        if (written.left.kind === 'Unavailable') throw new UnavailableError(written.left.reason)
        throw new UnusableContent(`the bucket does not take the name ${quoted(path)}: ${written.left.reason}`)
      }
      const found = digests.end()
      const file = { path, size, sha256: found.get('sha256')!, digests: found }
      files.push(file)
      return file
    },
    digest: async ({ path, digests }, algorithm) =>
      digests.get(algorithm) ?? digestInArea(area, `${folder}/${path}`, algorithm),
    keep: async () => {
      isKept = await list.keep()
      return isKept
    },
    isRepeat: list.isRepeat,
    // A failure to remove them is none of the request: they go with the batch, or as abandoned.
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await area.remove(folder)()
    },
  }
}
