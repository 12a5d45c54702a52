import { expect, it, onTestFinished, vi } from 'vitest'
import { bucketOf } from '#infra/object-store/ocfl-s3/bucket.ts'
import { openBucket, type S3Bucket } from '#infra/s3/bucket.ts'
import { startS3 } from '../../fakes/s3-server.ts'

const key = 'extensions/fonds-writes/process/write.json'

/** A bucket that keeps versions, with a key of two of them, and a client that is killed behind so many deletions. */
const useKey = async (deletions = Number.POSITIVE_INFINITY) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const server = await startS3()
  server.bucket('bucket').isVersioned = true
  const s3 = openBucket('bucket', { endpoint: server.endpoint })
  onTestFinished(async () => {
    await s3.close()
    await server.close()
  })
  let left = deletions
  const killed: S3Bucket = {
    ...s3,
    delete: async (...asked) => {
      if (left === 0) throw new Error('killed')
      left -= 1
      await s3.delete(...asked)
    },
  }
  const bucket = bucketOf(killed)
  for (const text of ['before', 'now']) await bucket.put(key, Buffer.from(text))
  return {
    bucket,
    revive: () => {
      left = Number.POSITIVE_INFINITY
    },
    versions: async () => {
      const found: string[] = []
      for await (const page of s3.versions({ prefix: key }))
        found.push(...page.map(({ isDeleteMarker, size }) => (isDeleteMarker ? 'marker' : String(size))))
      return found
    },
  }
}

it('a key is deleted with its versions, and no marker stays', async () => {
  const { bucket, versions } = await useKey()
  expect(await versions()).toEqual(['3', '6'])
  await bucket.delete(key)
  expect(await versions()).toEqual([])
  await bucket.put(key, Buffer.from('again'), { ifNoneMatch: '*' })
})

it.each([0, 1])(
  'killed behind %i deletions: the key is listed as it was, so that the next one finds it',
  async (count) => {
    const { bucket, versions, revive } = await useKey(count)
    await expect(bucket.delete(key)).rejects.toThrow('killed')
    expect(await bucket.head(key)).toMatchObject({ size: 3 })
    expect(await versions()).not.toContain('marker')
    revive()
    await bucket.delete(key)
    expect(await versions()).toEqual([])
  },
)
