import { left, right } from 'fp-ts/lib/Either.js'
import type { UploadArea, UploadOffer } from '../../../src/ports/upload-area.ts'
import type { S3Bucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { attempt, unlessTaken } from './failures.ts'

/* Files that clients write by addresses that are signed here. */

export interface OfferOptions {
  /** `http(s)://host[:port]` under which clients reach the bucket's server; absent: as we do. */
  readonly clientEndpoint?: string
  /** Size of a part; a file that is no larger comes in one request. */
  readonly partBytes?: number
}

const usualPartBytes = 64 * 1024 ** 2
const maxParts = 10_000

export const offersOf = (
  s3: S3Bucket,
  prefix: string,
  { checksums = 'supported' }: S3Settings,
  { clientEndpoint, partBytes: least = usualPartBytes }: OfferOptions,
): Pick<UploadArea, 'offer' | 'complete' | 'stat'> => {
  const stat: UploadArea['stat'] = (path) =>
    attempt(async () => {
      const found = await s3.head(prefix + path).catch(unlessMissing)
      if (!found) return undefined
      const sha256 = found.checksumType === 'COMPOSITE' ? undefined : found.checksums.sha256
      const isOfParts = sha256?.includes('-') || found.etag.includes('-')
      return {
        size: found.size,
        ...(sha256 && !isOfParts && { sha256: Buffer.from(sha256, 'base64').toString('hex') }),
      }
    })

  return {
    stat,
    offer:
      (path, { size, sha256 }, expiresSeconds) =>
      async () => {
        const key = prefix + path
        const common = { expiresSeconds, ...(clientEndpoint !== undefined && { endpoint: clientEndpoint }) }
        try {
          // Without a checksum, other bytes could be put again later; a completed upload takes no part any more.
          if (size <= least && checksums === 'supported') {
            const sum = Buffer.from(sha256, 'hex').toString('base64')
            const one = await s3.presignPut(key, { ...common, size, sha256: sum })
            return right({ requests: [{ number: 1, from: 0, size, ...one }] })
          }
          const { uploadId } = await s3.createUpload(key, { isPlain: true })
          const partBytes = Math.max(least, Math.ceil(size / maxParts))
          const requests: UploadOffer['requests'][number][] = []
          for (let from = 0; from === 0 || from < size; from += partBytes) {
            const number = requests.length + 1
            const bytes = Math.min(partBytes, size - from)
            const query = { partNumber: String(number), uploadId }
            const one = await s3.presignPut(key, { ...common, size: bytes, query })
            requests.push({ number, from, size: bytes, ...one })
          }
          return right({ uploadId, requests })
        } catch (error) {
          return left(unlessTaken(path, error))
        }
      },
    complete: (path, uploadId, parts) => async () => {
      const key = prefix + path
      try {
        const inOrder = parts.toSorted((one, other) => one.number - other.number)
        await s3.completeUpload(
          { key, uploadId },
          inOrder.map((part) => ({ ...part, size: 0 })),
        )
        return right(undefined)
      } catch (error) {
        if (!(error instanceof S3Error) || error.isTransient) return left(unlessTaken(path, error))
        // A repeat of the request that completed it.
        const isOver = ['NoSuchUpload', 'OutcomeUnknown'].includes(error.code)
        if (isOver && (await s3.head(key).catch(unlessMissing))) return right(undefined)
        return left({ kind: 'Refused', reason: error.message })
      }
    },
  }
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof S3Error && error.status === 404) return undefined
  throw error
}
