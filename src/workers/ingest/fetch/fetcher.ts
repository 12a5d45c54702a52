import { createReadStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '../../../async/errors.ts'
import type { Hold } from '../../../async/hold.ts'
import { createSemaphore } from '../../../async/semaphore.ts'
import type { Clock } from '../../../ports/clock.ts'
import { failOnStatus, lengthOf } from '../../http/answer.ts'
import { download } from '../../http/download.ts'
import type { HttpClient } from '../../http/http-client.ts'
import { DownloadFailure } from '../../http/http-failures.ts'
import { openPart } from '../../http/part.ts'
import { type AllowedHosts, request } from '../../http/request.ts'
import { createDigests, type DigestAlgorithm } from '../../runtime/digests.ts'
import { writeFileBelow } from '../files/write-file.ts'
import { syncFile } from '../work-folder.ts'
import { isLocal, openLocal } from './local-file.ts'

export interface Wanted {
  /** `file:`, `http:` or `https:`. */
  readonly url: string
  /** Bytes, as the depositor says. */
  readonly size?: number | undefined
  readonly digest?: { readonly algorithm: DigestAlgorithm; readonly value: string } | undefined
  /** No more is taken, whatever the server sends. */
  readonly maxBytes?: number
}

interface Fetched {
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

export interface Fetcher {
  /** Bytes; undefined where nobody says (ingest X9). */
  sizeOf(url: string, hold: Hold): Promise<number | undefined>
  /**
   * Brings the bytes to `to`, which holds all of them or is not there, on disk. What broke off is left in `parts` under
   * `key`, and resumed. Throws `DownloadFailure`, `WrongContent`, and the reason of the signal.
   */
  fetch(wanted: Wanted, place: FetchPlace, hold: Hold): Promise<Fetched>
  /** The first bytes, so many at most. Throws `DownloadFailure`, and the reason of the signal. */
  beginning(url: string, bytes: number, hold: Hold): Promise<Buffer>
}

interface FetchPlace {
  readonly to: string
  readonly parts: string
  readonly key: string
}

/** It came, and is not what the depositor said (ingest X12). */
export class WrongContent extends Error {
  override readonly name = 'WrongContent'
}

interface FetcherOptions {
  readonly client: HttpClient
  readonly clock: Clock
  readonly stallMillis: number
  /** Where given, no other host is asked; as `parseHosts` gives them. */
  readonly hosts: readonly string[] | undefined
  /** Where given, files are read beneath these alone. */
  readonly folders: readonly string[] | undefined
  /** Of this process, at once: from servers, and of files of this machine. */
  readonly downloads: number
  readonly copies: number
  /** Attempts without much progress. */
  readonly tries: number
}

/** More than was said comes to its end: the message then says how much there is. */
const slackBytes = 1024 ** 2

export const createFetcher = (options: FetcherOptions): Fetcher => {
  const { client, clock, stallMillis, hosts, folders, tries } = options
  const allowed: AllowedHosts = { hosts, content: 'files', setting: 'FONDS_INGEST_HOSTS' }
  const downloading = createSemaphore(options.downloads)
  const copying = createSemaphore(options.copies)

  const sizeOfRemote = (url: string, hold: Hold): Promise<number | undefined> =>
    downloading.run(hold, async ({ signal }) => {
      const asking = { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMillis)]), begun: () => {} }
      try {
        await using answer = await request(client, url, allowed, {}, asking, 'HEAD')
        return answer.status === 200 ? lengthOf(answer) : undefined
      } catch {
        return undefined
      }
    })

  const fetchRemote = async (
    wanted: Wanted,
    { to, parts, key }: FetchPlace,
    hold: Hold,
  ): Promise<Fetched> => {
    const { url, size } = wanted
    const part = await openPart({ folder: parts, key, uri: url, staleMillis: 2 * stallMillis })
    let isLeft = false
    try {
      const maxBytes = wanted.maxBytes ?? (size === undefined ? Number.MAX_SAFE_INTEGER : size + slackBytes)
      const settings = { clock, client, allowed, stallMillis, maxBytes, tries }
      await downloading.run(hold, (turn) => download(url, part, undefined, settings, turn))
      const fetched = { size: part.size, sha256: part.hash() }
      await failUnlessWanted(wanted, fetched, part.path, hold)
      await part.handle.sync()
      await moveTo(part.path, to)
      return fetched
    } catch (error) {
      isLeft = hold.signal.aborted || error instanceof DownloadFailure
      throw error
    } finally {
      await (isLeft ? part.leave() : part.discard())
    }
  }

  const fetchLocal = async (wanted: Wanted, { to, parts, key }: FetchPlace, hold: Hold): Promise<Fetched> => {
    await using file = await openLocal(wanted.url, folders)
    const unfinished = join(parts, key)
    await rm(unfinished, { force: true })
    const algorithms = wanted.digest ? [wanted.digest.algorithm] : []
    try {
      const written = await writeFileBelow(parts, key, file.bytes(), () => goOn(hold), algorithms)
      await file.failIfChanged()
      failUnlessSame(wanted, written.size, written.digests)
      await syncFile(unfinished)
      await moveTo(unfinished, to)
      return written
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  const beginningOfRemote = (url: string, bytes: number, hold: Hold): Promise<Buffer> =>
    downloading.run(hold, async ({ signal }) => {
      const asking = { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMillis)]), begun: () => {} }
      try {
        await using answer = await request(client, url, allowed, {}, asking)
        failOnStatus(answer)
        return await take(answer.body, bytes)
      } catch (error) {
        signal.throwIfAborted()
        throw new DownloadFailure(`${url} ${errorMessage(error)}`, { cause: error })
      }
    })

  return {
    beginning: async (url, bytes, hold) => {
      if (!isLocal(url)) return beginningOfRemote(url, bytes, hold)
      await using file = await openLocal(url, folders)
      return await take(file.bytes(), bytes)
    },
    sizeOf: async (url, hold) => {
      if (!isLocal(url)) return sizeOfRemote(url, hold)
      try {
        await using file = await openLocal(url, folders)
        return file.size
      } catch {
        return undefined
      }
    },
    fetch: async (wanted, place, hold) => {
      await mkdir(place.parts, { recursive: true })
      if (isLocal(wanted.url)) return copying.run(hold, (turn) => fetchLocal(wanted, place, turn))
      if (!/^https?:/i.test(wanted.url))
        throw new DownloadFailure(`${wanted.url} is neither http nor file: it cannot be fetched`)
      return fetchRemote(wanted, place, hold)
    },
  }
}

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

const goOn = ({ signal, progress }: Hold): void => {
  signal.throwIfAborted()
  progress()
}

const moveTo = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
}

/** Reads the file once more where another digest than SHA-256 was given. */
const failUnlessWanted = async (wanted: Wanted, { size, sha256 }: Fetched, path: string, hold: Hold) => {
  const { digest } = wanted
  const known = new Map<DigestAlgorithm, string>([['sha256', sha256]])
  if (digest && digest.algorithm !== 'sha256') {
    const { digests } = await digestFile(path, [digest.algorithm], hold)
    return failUnlessSame(wanted, size, digests)
  }
  failUnlessSame(wanted, size, known)
}

const failUnlessSame = (
  { url, size, digest }: Wanted,
  found: number,
  digests: ReadonlyMap<DigestAlgorithm, string>,
): void => {
  if (size !== undefined && found !== size)
    throw new WrongContent(`${url} has ${found} bytes; ${size} were announced`)
  if (!digest) return
  const is = digests.get(digest.algorithm)
  if (is !== digest.value.toLowerCase())
    throw new WrongContent(`${url} has the ${digest.algorithm} digest ${is}; ${digest.value} was announced`)
}

/** Size, SHA-256 and other digests of a file that is there. */
export const digestFile = async (
  path: string,
  algorithms: readonly DigestAlgorithm[],
  hold: Hold,
): Promise<Fetched & { readonly digests: ReadonlyMap<DigestAlgorithm, string> }> => {
  const digests = await createDigests(['sha256', ...algorithms])
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: readBytes })) {
    goOn(hold)
    digests.update(chunk)
    size += chunk.length
  }
  const found = digests.end()
  return { size, sha256: found.get('sha256')!, digests: found }
}
