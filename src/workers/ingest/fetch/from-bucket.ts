import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskContext } from '../../../async/task-context.ts'
import type { ContentEntry, Listed } from '../../../ports/content-store.ts'
import {
  asFailure,
  type BucketReach,
  bucketFile,
  bucketPrefix,
  entryOf,
  type OpenBucket,
  readBucketBytes,
  readBucketFile,
} from '../../buckets/bucket-file.ts'
import { type FetchPlace, type Folders, type RemoteOptions, receive } from './receive.ts'
import { type Fetched, type Wanted, WrongContent } from './wanted.ts'

export const reachOf = (folders: Folders, open: OpenBucket): BucketReach => ({
  ...{ open, folders },
  setting: 'FONDS_INGEST_FOLDERS',
})

export const sizeInBucket = (
  url: string,
  folders: Folders,
  context: TaskContext,
  { openBucket, downloading }: RemoteOptions,
): Promise<number | undefined> =>
  downloading.run(context, async () => {
    try {
      return (await entryOf(url, bucketFile(url, reachOf(folders, openBucket)))).size
    } catch {
      return undefined
    }
  })

export const beginningInBucket = (
  url: string,
  bytes: number,
  folders: Folders,
  context: TaskContext,
  { openBucket, downloading }: RemoteOptions,
): Promise<Buffer> =>
  downloading.run(context, async () => {
    const file = bucketFile(url, reachOf(folders, openBucket))
    const { version } = await entryOf(url, file)
    const read = await readBucketBytes(file, { version, to: bytes, signal: context.signal })()
    if (isLeft(read)) throw asFailure(url, read.left)
    return read.right
  })

export const fetchFromBucket = (
  wanted: Wanted,
  place: FetchPlace,
  folders: Folders,
  context: TaskContext,
  options: RemoteOptions,
): Promise<Fetched> => {
  const { url } = wanted
  const file = bucketFile(url, reachOf(folders, options.openBucket))
  return receive(wanted, place, context, options, (part, { maxBytes, takeRoom }) => {
    const begin = async ({ version, size }: ContentEntry): Promise<number> => {
      if (size > maxBytes) throw new WrongContent(`${url} has ${size} bytes; ${maxBytes} are allowed`)
      if (part.representation.etag !== version) await part.begin({ etag: version, total: size })
      return part.size
    }
    const write = async (chunk: Uint8Array): Promise<void> => {
      await takeRoom(chunk.length, (part.representation.total ?? part.size) - part.size)
      await part.write(chunk)
    }
    const { tries, downloading } = options
    return downloading.run(context, (turn) => readBucketFile(url, file, { begin, write, tries }, turn))
  })
}

export async function* listBucket(
  url: string,
  folders: Folders,
  { signal, progress }: TaskContext,
  { openBucket }: RemoteOptions,
): AsyncGenerator<Listed> {
  for await (const one of bucketPrefix(url, reachOf(folders, openBucket)).list()) {
    signal.throwIfAborted()
    progress()
    yield one
  }
}
