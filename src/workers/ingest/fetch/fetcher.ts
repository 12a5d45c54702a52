import { createReadStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import type { HttpClient, HttpResponse } from '@fonds/download'
import { DownloadFailure, withoutLogin } from '@fonds/download'
import {
  type AllowedHosts,
  codingOf,
  download,
  failUnlessStatus,
  inTries,
  isOwnCoding,
  lengthOf,
  openPart,
  request,
  undone,
} from '@fonds/download/http'
import { makeFolder } from '@fonds/toolbox/disk'
import { v4 as uuid } from 'uuid'
import { NoRoom } from '../../../async/machine-failure.ts'
import { createSemaphore } from '../../../async/semaphore.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Clock } from '../../../ports/clock.ts'
import { withoutRoom } from '../../http/without-room.ts'
import type { Rooms } from '../../runtime/room.ts'
import type { FileWork } from '../files/file-work.ts'
import { isLocal, openLocal } from './local-file.ts'
import { patient } from './patient-room.ts'
import { type Fetched, failUnlessSame, type Wanted, WrongContent } from './wanted.ts'

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
  /** Returns the first bytes, at most so many. Throws `DownloadFailure`, and the reason of the signal. */
  beginning(url: string, bytes: number, context: TaskContext): Promise<Buffer>
}

type Folders = readonly string[] | undefined

/** The addresses to which URLs of a submission may lead. */
interface Reach {
  /** Folders beneath which local files must lie; undefined: anywhere. */
  readonly folders: Folders
  /** The submitter is a stranger: public addresses alone, or the allowed hosts. */
  readonly isForeign: boolean
}

interface FetchPlace {
  readonly to: string
  readonly parts: string
  readonly key: string
  /** Atomic, even after a kill or a power cut: its digest is not checked again. */
  readonly whole?: boolean
}

interface FetcherOptions {
  readonly client: HttpClient
  readonly clock: Clock
  readonly stallMillis: number
  /** If present, no other host is contacted; as `parseHosts` returns them. */
  readonly hosts: readonly string[] | undefined
  /** Limit of concurrent downloads from servers, per process. */
  readonly downloads: number
  readonly files: FileWork
  readonly rooms: Rooms
  /** Called when a download waits for room: with its URL, and the missing room. */
  readonly onWait?: (description: string) => void
  /** Attempts without much progress. */
  readonly tries: number
}

/** A response that is somewhat longer than announced is read to its end: the message then has its size. */
const slackBytes = 1024 ** 2

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
      beginning: (url, bytes, context) =>
        isLocal(url)
          ? beginningOfLocal(url, bytes, folders)
          : beginningOfRemote(url, bytes, allowed, context, remote),
      sizeOf: (url, context) =>
        isLocal(url) ? sizeOfLocal(url, folders) : sizeOfRemote(url, allowed, context, remote),
      fetch: async (wanted, place, context) => {
        if (isLocal(wanted.url)) return fetchLocal(wanted, place, folders, context, options.files)
        if (!/^https?:/i.test(wanted.url))
          throw new DownloadFailure(`${wanted.url} is neither http nor file: it cannot be fetched`)
        await makeFolder(place.parts)
        return fetchRemote(wanted, place, allowed, context, remote)
      },
    }
  }
  return reaching({ folders: undefined, isForeign: false })
}

interface RemoteOptions extends FetcherOptions {
  /** Limits concurrent downloads. */
  readonly downloading: ReturnType<typeof createSemaphore>
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

const fetchRemote = async (
  wanted: Wanted,
  { to, parts, key }: FetchPlace,
  allowed: AllowedHosts,
  context: TaskContext,
  { client, clock, stallMillis, tries, rooms, downloading, onWait = () => {} }: RemoteOptions,
): Promise<Fetched> => {
  const { url, size } = wanted
  const takeRoom = patient(rooms.writer(parts), clock, context, ({ message }) =>
    onWait(`${withoutLogin(url)}: ${message}`),
  )
  const part = await openPart({ folder: parts, key, uri: url, staleMillis: 2 * stallMillis }, takeRoom)
  let isLeft = false
  try {
    const maxBytes = wanted.maxBytes ?? (size === undefined ? Number.MAX_SAFE_INTEGER : size + slackBytes)
    const asSent = wantedAsSent(wanted, context)
    const settings = { clock, client, allowed, stallMillis, maxBytes, tries, takeRoom, names: [to] }
    await downloading.run(context, (turn) => download(url, part, undefined, { ...settings, ...asSent }, turn))
    const fetched = { size: part.size, sha256: part.hash() }
    await failUnlessWanted(wanted, fetched, part.path, context)
    await part.handle.sync()
    await moveTo(part.path, to)
    return fetched
  } catch (error) {
    isLeft = context.signal.aborted || error instanceof DownloadFailure
    if (!(error instanceof NoRoom)) throw error
    const { isKept, failure } = await withoutRoom(error, part, { uri: url, folder: parts, rooms })
    isLeft = isKept
    throw failure
  } finally {
    await (isLeft ? part.leave() : part.discard())
  }
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

const readBytes = 256 * 1024

const goOn = ({ signal, progress }: TaskContext): void => {
  signal.throwIfAborted()
  progress()
}

const moveTo = async (from: string, to: string): Promise<void> => {
  await makeFolder(dirname(to))
  await rename(from, to)
}

/** Reads the file once more if a digest other than SHA-256 was given. */
const failUnlessWanted = async (
  wanted: Wanted,
  { size, sha256 }: Fetched,
  path: string,
  context: TaskContext,
) => {
  const { digest } = wanted
  const known = new Map<DigestAlgorithm, string>([['sha256', sha256]])
  if (digest && digest.algorithm !== 'sha256') {
    const { digests } = await digestFile(path, [digest.algorithm], context)
    return failUnlessSame(wanted, size, digests)
  }
  failUnlessSame(wanted, size, known)
}

/** Computes size, SHA-256 and other digests of an existing file. */
export const digestFile = async (
  path: string,
  algorithms: readonly DigestAlgorithm[],
  context: TaskContext,
): Promise<Fetched & { readonly digests: ReadonlyMap<DigestAlgorithm, string> }> => {
  const digests = await createDigests(['sha256', ...algorithms])
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) {
    goOn(context)
    digests.update(chunk)
    size += chunk.length
  }
  const found = digests.end()
  return { size, sha256: found.get('sha256')!, digests: found }
}
