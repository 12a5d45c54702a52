import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openBucketStore } from '#infra/object-store/ocfl-s3/object-store.ts'
import { UnavailableError } from '#src/async/unavailable.ts'

/* A server that is away is waited for: no job fails for it. */

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
})
afterEach(() => vi.unstubAllEnvs())

it('a root in a bucket whose server is away is unavailable, and no place that cannot be used', async () => {
  const s3 = { endpoint: 'http://127.0.0.1:1', attempts: 1 }
  const opening = openBucketStore('s3://bucket/archive/storage', { s3 })
  await expect(opening).rejects.toThrow(UnavailableError)
  await expect(opening).rejects.toThrow('s3://bucket/archive/storage')
})
