import { Readable } from 'node:stream'
import { type SourceFile, StorageRootError } from '@fonds/ocfl'
import { type BucketRoot, type BucketRootOptions, ConditionFailed, openBucketRoot } from '@fonds/ocfl/bucket'
import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v4 as uuid } from 'uuid'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { LockMark } from '../../../src/domain/kernel/leader-lease.ts'
import type { NewVersion, ObjectStore, ObjectStoreFailure } from '../../../src/ports/object-store.ts'
import type { ProcessLock } from '../../../src/ports/process-lock.ts'
import { openBucket, type S3Bucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { failureFrom } from '../failures.ts'
import { bucketOf } from './bucket.ts'
import { addressOf, placeIn } from './place.ts'
import { stagesOf } from './stages.ts'

export interface BucketStoreOptions
  extends Pick<BucketRootOptions, 'layout' | 'journals' | 'puts' | 'guard'> {
  readonly s3?: S3Settings
  /** Proves that processes of this machine have ended. */
  readonly processLock?: Pick<ProcessLock, 'mark' | 'hasEnded'>
  /** Interval at which a process looks for writes that others left. */
  readonly sweepMillis?: number
}

/** The name that roots on disk have for their staging area. */
const folder = 'fonds-writes'

/** Writes of killed processes wait for 20 minutes at most, so they are looked for more often than those on disk. */
const usualSweepMillis = 5 * 60_000

/**
 * An OCFL 1.1 storage root in a bucket, at `s3://bucket/prefix`. No reader sees half of a version; what a killed process
 * leaves is finished or removed when the root is opened next, and now and then. Throws `StorageRootError` if the place
 * cannot be used, and `UnavailableError` if its server does not answer.
 */
export const openBucketStore = async (
  address: string,
  { s3 = {}, processLock, sweepMillis = usualSweepMillis, journals, ...options }: BucketStoreOptions = {},
): Promise<ObjectStore> => {
  const { bucket: name, prefix } = placeIn(address)
  const client = openBucket(name, s3)
  const open = async (): Promise<BucketRoot> => {
    const root = await openBucketRoot({
      ...{ bucket: bucketOf(client), prefix, process: uuid(), lock: processLock?.mark() },
      ...(processLock && { hasEnded: (lock: unknown) => LockMark.is(lock) && processLock.hasEnded(lock) }),
      ...{ journals: { folder, ...journals }, ...options },
    })
    await root.recover()
    return root
  }
  const root = await open().catch(async (error: unknown) => {
    await client.close()
    if (error instanceof S3Error && error.isTransient) throw new UnavailableError(error.message, error)
    const failure = failureOf(error, address)
    if (!failure || !('reason' in failure)) throw error
    throw new StorageRootError(failure.reason, { cause: error })
  })
  const interval = setInterval(() => void root.recover().catch(() => {}), sweepMillis).unref()

  return {
    write: (asked, signal) =>
      attempt(asked.object, async () => root.write(await atHand(asked), signal ? { signal } : {}), signal),
    head: (object) => attempt(object, () => root.head(object)),
    files: (object, version) => attempt(object, () => root.files(object, version)),
    read: (object, path, version) =>
      attempt(object, async () => {
        const found = await root.find(object, path, version)
        if (!found) return undefined
        const { key, ...file } = found
        return { ...file, open: () => Readable.from(bytesAt(client, key), { objectMode: false }) }
      }),
    added: (object, version, digest) => attempt(object, () => root.added(object, version, digest)),
    inspect: (object) => attempt(object, () => root.inspect(object)),
    list: (after, limit) => attempt('', () => root.list(after, limit)),
    setAside: (object, keep) =>
      attempt(object, async () => {
        const copy = await root.setAside(object, keep)
        return copy === undefined ? undefined : addressOf(name, copy)
      }),
    aside: (object) =>
      attempt(object ?? '', async () =>
        (await root.aside(object)).map((copy) => ({ ...copy, folder: addressOf(name, copy.folder) })),
      ),
    sweep: () => attempt('', root.sweep),
    stages: stagesOf(root),
    close: async () => {
      clearInterval(interval)
      await root.close().catch(() => {})
      await client.close()
    },
  }
}

/** Rejects with the reason of the signal, and if there is a bug. */
const attempt =
  <A>(object: string, work: () => Promise<A>, signal?: AbortSignal): TaskEither<ObjectStoreFailure, A> =>
  async () => {
    try {
      return right(await work())
    } catch (error) {
      signal?.throwIfAborted()
      const failure = failureOf(error, object)
      if (!failure) throw error
      return left(failure)
    }
  }

export const failureOf = (error: unknown, object: string): ObjectStoreFailure | undefined =>
  error instanceof S3Error || error instanceof ConditionFailed
    ? { kind: 'Unavailable', reason: error.message }
    : failureFrom(error, object)

async function* bytesAt(client: S3Bucket, key: string): AsyncGenerator<Uint8Array> {
  yield* (await client.get(key)).body
}

const atHand = async (asked: NewVersion) => {
  const files: SourceFile[] = []
  for await (const file of asked.files) files.push(file)
  return { ...asked, files }
}
