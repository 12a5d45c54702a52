import { keepFirst, readText } from '@fonds/ocfl/bucket'
import { left, right } from 'fp-ts/lib/Either.js'
import { type BucketPlace, bucketAddress } from '../../../src/domain/kernel/bucket-address.ts'
import type { UploadArea } from '../../../src/ports/upload-area.ts'
import { writeObject } from '../../content/s3/write.ts'
import { openBucket, type S3Bucket } from '../../s3/bucket.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { bucketOf } from '../ocfl-s3/bucket.ts'
import { attempt, unlessTaken } from './failures.ts'
import { type OfferOptions, offersOf } from './offers.ts'
import { removeForGood } from './remove.ts'

/** The uploads below `s3://bucket/prefix`. */
export const openUploadArea = (
  place: BucketPlace,
  settings: S3Settings = {},
  options: OfferOptions = {},
): UploadArea => {
  const s3 = openBucket(place.bucket, settings)
  const texts = bucketOf(s3)
  const prefix = `${place.prefix}/`
  return {
    address: `${bucketAddress(place)}/`,
    write: (path, bytes) => async () => {
      try {
        return right(void (await writeObject(s3, prefix + path, bytes)))
      } catch (error) {
        return left(unlessTaken(path, error))
      }
    },
    read: (path, onChunk) =>
      attempt(async () => {
        const { body } = await s3.get(prefix + path)
        for await (const chunk of body) onChunk(chunk)
      }),
    keepFirst: (path, text) => attempt(async () => (await keepFirst(texts, prefix + path, text)) ?? text),
    text: (path) => attempt(async () => (await readText(texts, prefix + path))?.text),
    ...offersOf(s3, prefix, settings, options),
    folders: () => attempt(() => foldersBelow(s3, prefix)),
    lastWritten: (folder) => attempt(() => lastWritten(s3, `${prefix}${folder}/`)),
    remove: (folder) => attempt(() => removeForGood(s3, `${prefix}${folder}/`)),
    close: () => s3.close(),
  }
}

const foldersBelow = async (s3: S3Bucket, prefix: string): Promise<readonly string[]> => {
  const found = new Set<string>()
  for await (const { prefixes } of s3.list({ prefix, delimiter: '/' }))
    for (const one of prefixes) found.add(one.slice(prefix.length, -1))
  for await (const { key } of s3.uploads({ prefix })) found.add(key.slice(prefix.length).split('/', 1)[0]!)
  return [...found]
}

const lastWritten = async (s3: S3Bucket, prefix: string): Promise<number> => {
  let last = 0
  for await (const { objects } of s3.list({ prefix }))
    for (const { modifiedAt } of objects) last = Math.max(last, Date.parse(modifiedAt))
  for await (const { begunAt } of s3.uploads({ prefix })) last = Math.max(last, Date.parse(begunAt))
  return last
}
