import { DownloadFailure, type HttpClient, TransientFailure } from '@fonds/download'
import { createFetchClient } from '@fonds/download/client'
import type { AllowedHosts, Tries } from '@fonds/download/http'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { SECOND } from '../../../src/domain/kernel/time.ts'
import type { ContentFailure, ContentStore, Listed } from '../../../src/ports/content-store.ts'
import { Failed, refused } from '../failed.ts'
import { attempt } from '../file-system/failure.ts'
import { pathFailure } from '../path.ts'
import type { Asking } from './asking.ts'
import { entryOf, type Place, readResource, statResource } from './read.ts'

interface HttpStoreOptions extends Partial<Tries> {
  /** Default: requests of this thread. */
  readonly client?: HttpClient
  /** Default: all. */
  readonly allowed?: AllowedHosts
  /** A server that sends nothing for so long is asked again. Default: 60,000. */
  readonly stallMillis?: number
}

const anyHost: AllowedHosts = { hosts: undefined, content: 'content', setting: 'FONDS_INGEST_HOSTS' }

/**
 * Content below an address, as a server sends it: for reading alone. HTTP has no listing. `root` is
 * `http(s)://host[:port]/folder`; of a path each segment is escaped.
 */
export const createHttpStore = (root: string, options: HttpStoreOptions = {}): ContentStore => {
  const { client = createFetchClient(), allowed = anyHost, stallMillis = 60 * SECOND, tries = 5 } = options
  const asking: Asking = {
    client,
    allowed,
    stallMillis,
    tries,
    ...(options.clock && { clock: options.clock }),
  }
  const base = root.replace(/\/+$/, '')
  const at = <A>(
    path: string,
    work: (place: Place, signal: AbortSignal) => Promise<A>,
    signal: AbortSignal = new AbortController().signal,
  ): TaskEither<ContentFailure, A> =>
    attempt(path, async () => {
      const reason = pathFailure(path)
      if (reason) throw refused(path, reason)
      const address = `${base}/${path.split('/').map(encodeURIComponent).join('/')}`
      try {
        return await work({ path, address }, signal)
      } catch (error) {
        throw failureOf(error, path, signal)
      }
    })
  return {
    list: () => unlisted(),
    folder: () => unlisted(),
    names: () => unlisted(),
    stat: (path) =>
      at(path, async (place, signal) => entryOf(path, await statResource(place, asking, signal))),
    read: (path, reading, onChunk) =>
      at(path, (place, signal) => readResource(place, reading, asking, signal, onChunk), reading.signal),
    write: (path) => at(path, () => Promise.reject(refused(path, readOnly))),
    delete: (path) => at(path, () => Promise.reject(refused(path, readOnly))),
  }
}

const readOnly = 'over HTTP content is read, and not changed'

async function* unlisted(): AsyncGenerator<Extract<Listed, { kind: 'skipped' }>> {
  const reason = 'HTTP has no listing: name the files'
  yield { kind: 'skipped', skipped: { path: '.', reason, mayBeContent: true } }
}

/** The failure of the port; any other error is a bug, or the consumer's. */
const failureOf = (error: unknown, path: string, signal: AbortSignal): unknown => {
  if (error instanceof Failed) return error
  if (signal.aborted) return new Failed({ kind: 'Unreadable', path, reason: 'the reading was stopped' })
  if (!(error instanceof DownloadFailure)) return error
  const { cause, message: reason } = error
  if (!(cause instanceof TransientFailure)) return refused(path, reason)
  if (cause.status === 404 || cause.status === 410) return new Failed({ kind: 'NotFound', path })
  const isRefused = cause.status === 401 || cause.status === 403
  return new Failed({ kind: isRefused ? 'Refused' : 'Unreadable', path, reason })
}
