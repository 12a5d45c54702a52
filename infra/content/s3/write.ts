import type { S3Bucket } from '../../s3/bucket.ts'
import type { S3Error } from '../../s3/errors.ts'
import type { Part, Upload } from '../../s3/multipart.ts'

/** Bytes. S3 takes 5 MiB or more, and at most 10,000 parts: later ones are larger, so that 1 TB fits. */
const firstPartSize = 16 * 1024 ** 2
const partsOfOneSize = 2000
const partSize = (number: number): number => firstPartSize * 2 ** Math.floor((number - 1) / partsOfOneSize)

/** Writes an object that nobody sees before it is whole. Memory holds one part. Throws `S3Error`, and what `bytes` throws. */
export const writeObject = async (
  bucket: S3Bucket,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly versionId?: string | undefined }> => {
  const parts = inParts(bytes)
  const first = await parts.next()
  const start = first.done ? Buffer.alloc(0) : first.value
  if (start.length < firstPartSize) return bucket.put(key, start)
  const upload = await bucket.createUpload(key)
  try {
    const sent = await sendParts(bucket, upload, start, parts)
    return await bucket.completeUpload(upload, sent)
  } catch (error) {
    await bucket.abortUpload(upload).catch((_: S3Error) => {})
    throw error
  }
}

const sendParts = async (
  bucket: S3Bucket,
  upload: Upload,
  first: Uint8Array,
  later: AsyncIterable<Uint8Array>,
): Promise<readonly Part[]> => {
  const sent = [await bucket.uploadPart(upload, 1, first)]
  for await (const part of later) sent.push(await bucket.uploadPart(upload, sent.length + 1, part))
  return sent
}

/** Copies the chunks, which are valid only until the next one: all parts but the last are full. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let number = 1
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const piece = Buffer.from(chunk.subarray(at, at + partSize(number) - length))
      waiting.push(piece)
      length += piece.length
      at += piece.length
      if (length < partSize(number)) continue
      yield Buffer.concat(waiting)
      number += 1
      waiting = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}
