import { createReadStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DigestAlgorithm } from '@fonds/digests'
import { createDigests } from '@fonds/digests/compute'
import type { HttpClient } from '@fonds/download'
import { DownloadFailure, withoutLogin } from '@fonds/download'
import { openPart, type Part } from '@fonds/download/http'
import { makeFolder } from '@fonds/toolbox/disk'
import { NoRoom } from '../../../async/machine-failure.ts'
import type { createSemaphore } from '../../../async/semaphore.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OpenBucket } from '../../buckets/bucket-file.ts'
import { withoutRoom } from '../../http/without-room.ts'
import type { Rooms } from '../../runtime/room.ts'
import type { FileWork } from '../files/file-work.ts'
import { patient } from './patient-room.ts'
import { type Fetched, failUnlessSame, type Wanted } from './wanted.ts'

/* Downloads, from wherever they come, on their way into the work folder. */

export type Folders = readonly string[] | undefined

export interface FetchPlace {
  readonly to: string
  readonly parts: string
  readonly key: string
  /** Atomic, even after a kill or a power cut: its digest is not checked again. */
  readonly whole?: boolean
}

export interface FetcherOptions {
  readonly client: HttpClient
  readonly clock: Clock
  readonly stallMillis: number
  /** If present, no other host is contacted; as `parseHosts` returns them. */
  readonly hosts: readonly string[] | undefined
  /** Limit of concurrent downloads from servers, per process. */
  readonly downloads: number
  readonly files: FileWork
  readonly rooms: Rooms
  readonly openBucket: OpenBucket
  /** Called when a download waits for room: with its URL, and the missing room. */
  readonly onWait?: (description: string) => void
  /** Attempts without much progress. */
  readonly tries: number
}

export interface RemoteOptions extends FetcherOptions {
  /** Limits concurrent downloads. */
  readonly downloading: ReturnType<typeof createSemaphore>
}

/** A response that is somewhat longer than announced is read to its end: the message then has its size. */
const slackBytes = 1024 ** 2

export interface Receiving {
  readonly maxBytes: number
  readonly takeRoom: ReturnType<typeof patient>
}

export const maxBytesOf = ({ maxBytes, size }: Wanted): number =>
  maxBytes ?? (size === undefined ? Number.MAX_SAFE_INTEGER : size + slackBytes)

/** Gets the bytes into a part, which another process may have begun, and moves it to its place. */
export const receive = async (
  wanted: Wanted,
  { to, parts, key }: FetchPlace,
  context: TaskContext,
  { clock, stallMillis, rooms, onWait = () => {} }: RemoteOptions,
  get: (part: Part, receiving: Receiving) => Promise<unknown>,
): Promise<Fetched> => {
  const { url } = wanted
  const takeRoom = patient(rooms.writer(parts), clock, context, ({ message }) =>
    onWait(`${withoutLogin(url)}: ${message}`),
  )
  const part = await openPart({ folder: parts, key, uri: url, staleMillis: 2 * stallMillis }, takeRoom)
  let isLeft = false
  try {
    await get(part, { maxBytes: maxBytesOf(wanted), takeRoom })
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

const moveTo = async (from: string, to: string): Promise<void> => {
  await makeFolder(dirname(to))
  await rename(from, to)
}

/** Reads the file once more if a digest other than SHA-256 was given. */
export const failUnlessWanted = async (
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

const readBytes = 256 * 1024

const goOn = ({ signal, progress }: TaskContext): void => {
  signal.throwIfAborted()
  progress()
}
