import { hostname } from 'node:os'
import { type Bucket, ensureBucketRoot, keepFirst, readBucketLayout, readText } from '@fonds/ocfl/bucket'
import { type LayoutConfig, objectFolders, rootDeclaration } from '@fonds/ocfl/layout'
import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { StorageRoot } from '../../../src/ports/storage-root.ts'
import type { Unavailable } from '../../../src/ports/unavailable.ts'
import { openBucket, type S3Bucket } from '../../s3/bucket.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { idFile, idIn, textOfId } from '../root-id.ts'
import { bucketOf } from './bucket.ts'
import { failureOf } from './object-store.ts'
import { addressOf, placeIn } from './place.ts'

export interface BucketRootPlace extends StorageRoot {
  /** The address of an object by the layout that the root names, whether or not there is such an object. */
  placeOf(object: string): TaskEither<Unavailable, string>
  /** Ends its connections. */
  close(): Promise<void>
}

/** The storage root in a bucket, known by the id in a key at its top. Nothing is made before it is named. */
export const bucketRootAt = (address: string, settings: S3Settings = {}): BucketRootPlace => {
  let client: S3Bucket | undefined
  let hasSeenObjects = false
  let layout: LayoutConfig | undefined

  const attempt =
    <A>(work: (bucket: Bucket, prefix: string, folder: string) => Promise<A>) =>
    async () => {
      try {
        const { bucket, prefix } = placeIn(address)
        client ??= openBucket(bucket, settings)
        return right(await work(bucketOf(client), `${prefix}/`, addressOf(bucket, prefix)))
      } catch (error) {
        const failure = failureOf(error, address)
        if (!failure || !('reason' in failure)) throw error
        return left({
          kind: 'Unavailable',
          reason: `the storage root ${address}: ${failure.reason}`,
        } as const)
      }
    }

  const isRootIn = async (bucket: Bucket, prefix: string): Promise<boolean> =>
    (await bucket.head(prefix + rootDeclaration)) !== undefined

  return {
    // Asked before each claim of ingest: one request is enough once the root was seen with objects.
    inspect: () =>
      attempt(async (bucket, prefix, folder) => {
        const text = (await readText(bucket, prefix + idFile))?.text
        const isRoot = (text !== undefined && hasSeenObjects) || (await isRootIn(bucket, prefix))
        hasSeenObjects = isRoot && (hasSeenObjects || (await hasObjects(bucket, prefix)))
        const root = isRoot ? idIn(`${folder}/${idFile}`, text) : undefined
        return { folder, host: hostname(), root, isEmpty: !hasSeenObjects }
      }),
    name: (id) =>
      attempt(async (bucket, prefix, folder) => {
        await ensureBucketRoot(bucket, prefix)
        // A server without conditions would overwrite the id of a root that has one.
        const known = (await readText(bucket, prefix + idFile))?.text
        const first = known ?? (await keepFirst(bucket, prefix + idFile, textOfId(id)))
        return idIn(`${folder}/${idFile}`, first) ?? id
      }),
    placeOf: (object) =>
      attempt(async (bucket, prefix, folder) => {
        // A root keeps its layout for ever.
        layout ??= await readBucketLayout(bucket, prefix)
        return [folder, ...objectFolders(object, layout)].join('/')
      }),
    close: async () => client?.close(),
  }
}

const hasObjects = async (bucket: Bucket, prefix: string): Promise<boolean> => {
  for await (const page of bucket.list(prefix)) {
    const names = page.map(({ key }) => key.slice(prefix.length))
    if (names.some((name) => name.includes('/') && !name.startsWith('extensions/'))) return true
  }
  return false
}
