import { createDigests } from '@fonds/digests/compute'
import { type AllowedHosts, downloadAsSent, type ReceivedBytes } from '@fonds/download/http'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Stage, StagedFile, StagedIntake } from '../../../ports/object-store.ts'
import { bucketFile, isInBucket, readBucketFile } from '../../buckets/bucket-file.ts'
import { reachOf } from './from-bucket.ts'
import { isLocal, openLocal } from './local-file.ts'
import { type Folders, maxBytesOf, type RemoteOptions } from './receive.ts'
import { failUnlessSame, type Wanted, WrongContent } from './wanted.ts'

/* Bytes on their way from the depositor to the store, read once: nothing of them comes to a disk. */

export interface StagePlace {
  /** Path in the object, below `producer`. */
  readonly path: string
  readonly stage: Stage
}

export interface Sources {
  readonly folders: Folders
  readonly allowed: AllowedHosts
}

/** A server names a coding for its bytes, which can be undone in a file alone. */
export class CodedContent extends Error {
  override readonly name = 'CodedContent'
}

/** Throws as `Fetcher.fetch` does, and `CodedContent`: then nothing was taken in. */
export const fetchToStage = async (
  wanted: Wanted,
  place: StagePlace,
  sources: Sources,
  context: TaskContext,
  options: RemoteOptions,
): Promise<StagedFile> => {
  if (isLocal(wanted.url)) return receive(wanted, place, (into) => readLocal(wanted, into, sources, context))
  return options.downloading.run(context, (turn) =>
    receive(wanted, place, (into) =>
      isInBucket(wanted.url)
        ? readFromBucket(wanted, into, sources, turn, options)
        : readRemote(wanted, into, sources, turn, options),
    ),
  )
}

interface Into extends ReceivedBytes {
  /** Resolves once the last chunk is taken in: a part of the upload may have to be sent before. */
  readonly ready: () => Promise<void>
}

/** Size and digests are compared before the key is there (ingest I27, I28). */
const receive = async (
  wanted: Wanted,
  { path, stage }: StagePlace,
  get: (into: Into) => Promise<unknown>,
): Promise<StagedFile> => {
  const others = wanted.digest && wanted.digest.algorithm !== 'sha256' ? [wanted.digest.algorithm] : []
  let digests = await createDigests(others)
  let intake: StagedIntake | undefined
  let representation: ReceivedBytes['representation'] = {}
  let last: Promise<void> = Promise.resolve()
  const into: Into = {
    get size() {
      return intake?.size ?? 0
    },
    get representation() {
      return representation
    },
    ready: () => last,
    begin: async (by) => {
      if (by.coding !== undefined) throw new CodedContent(`${wanted.url} comes in the coding ${by.coding}`)
      await intake?.abort()
      intake = stage.begin(path, by.total)
      digests = await createDigests(others)
      representation = by
    },
    write: async (chunk) => {
      digests.update(chunk)
      last = intake!.write(chunk)
      // The next caller of `ready` has the failure.
      last.catch(() => {})
    },
  }
  try {
    await get(into)
    await last
    return await intake!.end(({ size, sha256 }) =>
      failUnlessSame(wanted, size, new Map([...digests.end(), ['sha256', sha256] as const])),
    )
  } catch (error) {
    await intake?.abort()
    throw error
  }
}

const localBytes = 1024 ** 2

const readLocal = async (
  { url }: Wanted,
  into: Into,
  { folders }: Sources,
  { signal, progress }: TaskContext,
): Promise<void> => {
  await using file = await openLocal(url, folders)
  await into.begin({ total: file.size })
  const buffer = Buffer.allocUnsafe(Math.min(localBytes, Math.max(file.size, 1)))
  while (into.size < file.size) {
    signal.throwIfAborted()
    const read = await file.read(buffer.subarray(0, file.size - into.size), into.size)
    if (read === 0) break
    await into.write(buffer.subarray(0, read))
    await into.ready()
    progress()
  }
  await file.failIfChanged()
}

const readFromBucket = (
  wanted: Wanted,
  into: Into,
  { folders }: Sources,
  context: TaskContext,
  { openBucket, tries }: RemoteOptions,
): Promise<void> => {
  const { url } = wanted
  const maxBytes = maxBytesOf(wanted)
  return readBucketFile(
    url,
    bucketFile(url, reachOf(folders, openBucket)),
    {
      tries,
      begin: async ({ version, size }) => {
        if (size > maxBytes) throw new WrongContent(`${url} has ${size} bytes; ${maxBytes} are allowed`)
        if (into.representation.etag !== version) await into.begin({ etag: version, total: size })
        return into.size
      },
      write: async (chunk) => {
        await into.write(chunk)
        await into.ready()
      },
    },
    context,
  )
}

const readRemote = (
  wanted: Wanted,
  into: Into,
  { allowed }: Sources,
  context: TaskContext,
  { client, clock, stallMillis, tries }: RemoteOptions,
): Promise<unknown> => {
  const settings = { clock, client, allowed, stallMillis, maxBytes: maxBytesOf(wanted), tries }
  // A store that is slow does not make the depositor's server stall.
  return downloadAsSent(wanted.url, into, undefined, { ...settings, takeRoom: into.ready }, context)
}
