import { onTestFinished, vi } from 'vitest'
import { type BucketStoreOptions, openBucketStore } from '#infra/object-store/ocfl-s3/object-store.ts'
import { openBucket } from '#infra/s3/bucket.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { startS3 } from '../../fakes/s3-server.ts'
import { useRoot } from './root-folder.ts'

/** A root in a bucket of an S3 server: of the stub, unless an address is given. */
export const useBucketStore = async (address = 's3://bucket/archive/storage', endpoint?: string) => {
  const s3 = { endpoint: endpoint ?? (await startStub()).endpoint }
  const { bucket: name, prefix } = /^s3:\/\/(?<bucket>[^/]+)\/(?<prefix>.+)$/.exec(address)!.groups!
  const client = openBucket(name!, s3)
  onTestFinished(() => client.close())
  return {
    ...{ address, s3, client, prefix: `${prefix}/` },
    file: useRoot().file,
    open: async (options: Partial<BucketStoreOptions> = {}): Promise<ObjectStore> => {
      const store = await openBucketStore(address, { s3, ...options })
      onTestFinished(() => store.close())
      return store
    },
    keys: async (): Promise<readonly string[]> => {
      const keys: string[] = []
      for await (const { objects } of client.list({ prefix: `${prefix}/` }))
        keys.push(...objects.map(({ key }) => key.slice(prefix!.length + 1)))
      return keys
    },
    lose: async (ending: string) => {
      for await (const { objects } of client.list({ prefix: `${prefix}/` }))
        for (const { key } of objects) if (key.endsWith(ending)) await client.delete(key)
    },
  }
}

const startStub = async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const server = await startS3()
  onTestFinished(() => server.close())
  return server
}
