import { join } from 'node:path'
import type { HttpResponse } from '@fonds/download'
import { DownloadFailure } from '@fonds/download'
import {
  type AllowedHosts,
  codingOf,
  download,
  failUnlessStatus,
  inTries,
  isOwnCoding,
  lengthOf,
  request,
  undone,
} from '@fonds/download/http'
import { makeFolder } from '@fonds/toolbox/disk'
import { v4 as uuid } from 'uuid'
import { createSemaphore } from '../../../async/semaphore.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Listed } from '../../../ports/content-store.ts'
import type { StagedFile } from '../../../ports/object-store.ts'
import { isInBucket } from '../../buckets/bucket-file.ts'
import type { FileWork } from '../files/file-work.ts'
import { beginningInBucket, fetchFromBucket, listBucket, sizeInBucket } from './from-bucket.ts'
import { isLocal, openLocal } from './local-file.ts'
import {
  digestFile,
  type FetcherOptions,
  type FetchPlace,
  type Folders,
  failUnlessWanted,
  type RemoteOptions,
  receive,
} from './receive.ts'
import { fetchToStage, type StagePlace } from './to-stage.ts'
import { type Fetched, type Wanted, WrongContent } from './wanted.ts'

export interface Fetcher {
  /** The same fetcher with another reach. */
  reaching(reach: Reach): Fetcher
  /** Returns the size in bytes; undefined if unknown (ingest X9). */
  sizeOf(url: string, context: TaskContext): Promise<number | undefined>
  /**
   * Writes the bytes to `to`. A download that broke off is left in `parts` under `key`, and resumed; a partial copy of
   * a local file by a killed process is left at `to`, and replaced. A download waits a moment for room. Throws
   * `DownloadFailure`, `WrongContent`, `NoRoom`, and the reason of the signal.
   */
  fetch(wanted: Wanted, place: FetchPlace, context: TaskContext): Promise<Fetched>
  /**
   * Takes the bytes in where the store will keep them. Throws as `fetch` does, and `CodedContent`: such bytes must be
   * fetched.
   */
  stage(wanted: Wanted, place: StagePlace, context: TaskContext): Promise<StagedFile>
  /** Returns the first bytes, at most so many. Throws `DownloadFailure`, and the reason of the signal. */
  beginning(url: string, bytes: number, context: TaskContext): Promise<Buffer>
  /** Lists what is below a prefix in a bucket, by key. Throws `DownloadFailure`, and the reason of the signal. */
  list(url: string, context: TaskContext): AsyncIterable<Listed>
}

/** The addresses to which URLs of a submission may lead. */
interface Reach {
  /** Folders beneath which local files must lie; undefined: anywhere. */
  readonly folders: Folders
  /** The submitter is a stranger: public addresses alone, or the allowed hosts. */
  readonly isForeign: boolean
}

export const createFetcher = (options: FetcherOptions): Fetcher => {
  const remote: RemoteOptions = { ...options, downloading: createSemaphore(options.downloads) }
  const reaching = (reach: Reach): Fetcher => {
    const { folders, isForeign } = reach
    const allowed: AllowedHosts = {
      hosts: options.hosts,
      isForeign,
      content: 'files',
      setting: 'FONDS_INGEST_HOSTS',
    }
    return {
      reaching,
      list: (url, context) => listBucket(url, folders, context, remote),
      beginning: (url, bytes, context) =>
        isLocal(url)
          ? beginningOfLocal(url, bytes, folders)
          : isInBucket(url)
            ? beginningInBucket(url, bytes, folders, context, remote)
            : beginningOfRemote(url, bytes, allowed, context, remote),
      sizeOf: (url, context) =>
        isLocal(url)
          ? sizeOfLocal(url, folders)
          : isInBucket(url)
            ? sizeInBucket(url, folders, context, remote)
            : sizeOfRemote(url, allowed, context, remote),
      stage: async (wanted, place, context) => {
        failUnlessFetchable(wanted.url)
        return fetchToStage(wanted, place, { folders, allowed }, context, remote)
      },
      fetch: async (wanted, place, context) => {
        if (isLocal(wanted.url)) return fetchLocal(wanted, place, folders, context, options.files)
        failUnlessFetchable(wanted.url)
        await makeFolder(place.parts)
        return isInBucket(wanted.url)
          ? fetchFromBucket(wanted, place, folders, context, remote)
          : fetchRemote(wanted, place, allowed, context, remote)
      },
    }
  }
  return reaching({ folders: undefined, isForeign: false })
}

const failUnlessFetchable = (url: string): void => {
  if (!isLocal(url) && !/^(https?|s3):/i.test(url))
    throw new DownloadFailure(`${url} is neither http, s3 nor file: it cannot be fetched`)
}

const sizeOfLocal = async (url: string, folders: Folders): Promise<number | undefined> => {
  try {
    await using file = await openLocal(url, folders)
    return file.size
  } catch {
    return undefined
  }
}

const beginningOfLocal = async (url: string, bytes: number, folders: Folders): Promise<Buffer> => {
  await using file = await openLocal(url, folders)
  const first = Buffer.alloc(bytes)
  return first.subarray(0, await file.read(first, 0))
}

const fetchLocal = (
  wanted: Wanted,
  { to, parts, key, whole = false }: FetchPlace,
  folders: Folders,
  context: TaskContext,
  files: FileWork,
): Promise<Fetched> =>
  files.copy({ ...wanted, folders, to, beside: join(parts, `${key}.${uuid()}`), whole }, context)

const sizeOfRemote = (
  url: string,
  allowed: AllowedHosts,
  context: TaskContext,
  { client, stallMillis, downloading }: RemoteOptions,
): Promise<number | undefined> =>
  downloading.run(context, async ({ signal }) => {
    try {
      await using answer = await request(client, url, allowed, {}, askingFor(stallMillis, signal), 'HEAD')
      return answer.status === 200 && !isUndone(answer, url) ? lengthOf(answer) : undefined
    } catch {
      return undefined
    }
  })

const beginningOfRemote = (
  url: string,
  bytes: number,
  allowed: AllowedHosts,
  context: TaskContext,
  { client, clock, stallMillis, tries, downloading }: RemoteOptions,
): Promise<Buffer> =>
  downloading.run(context, (turn) => {
    const once = async () => {
      await using answer = await request(client, url, allowed, {}, askingFor(stallMillis, turn.signal))
      failUnlessStatus(answer, [200], 'content')
      return await take(isUndone(answer, url) ? undone(answer) : answer.body, bytes)
    }
    return inTries(url, once, { clock, tries }, turn)
  })

/** True if a download undoes the coding that the server names. */
const isUndone = ({ headers }: Pick<HttpResponse, 'headers'>, url: string): boolean => {
  const coding = codingOf(headers)
  return coding !== undefined && !isOwnCoding(coding, headers, [new URL(url).pathname])
}

/** A request with a timeout. */
const askingFor = (millis: number, signal: AbortSignal) => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(millis)]),
  begun: () => {},
})

const fetchRemote = (
  wanted: Wanted,
  place: FetchPlace,
  allowed: AllowedHosts,
  context: TaskContext,
  options: RemoteOptions,
): Promise<Fetched> => {
  const { url } = wanted
  const { client, clock, stallMillis, tries, downloading } = options
  return receive(wanted, place, context, options, (part, { maxBytes, takeRoom }) => {
    const asSent = wantedAsSent(wanted, context)
    const settings = { clock, client, allowed, stallMillis, maxBytes, tries, takeRoom, names: [place.to] }
    return downloading.run(context, (turn) =>
      download(url, part, undefined, { ...settings, ...asSent }, turn),
    )
  })
}

/** Bytes in a coding that nobody asked for are wanted if they have the announced size and digest. */
const wantedAsSent = (wanted: Wanted, context: TaskContext) => ({
  isWanted: async ({ path }: { readonly path: string }): Promise<boolean | undefined> => {
    if (wanted.digest === undefined && wanted.size === undefined) return undefined
    try {
      await failUnlessWanted(wanted, await digestFile(path, [], context), path, context)
      return true
    } catch (error) {
      if (error instanceof WrongContent) return false
      throw error
    }
  },
})

const take = async (chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> => {
  const taken: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    taken.push(Uint8Array.from(chunk))
    length += chunk.length
    if (length >= bytes) break
  }
  return Buffer.concat(taken).subarray(0, bytes)
}
