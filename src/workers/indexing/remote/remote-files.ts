import { createHash } from 'node:crypto'
import { DownloadFailure, parseHosts } from '@fonds/download'
import type { AllowedHosts } from '@fonds/download/http'
import { download, openPart } from '@fonds/download/http'
import { makeFolder } from '@fonds/toolbox/disk'
import * as E from 'fp-ts/lib/Either.js'
import { NoRoom } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { JobOutcome } from '../../../domain/indexing/outcome.ts'
import type { Place } from '../../../domain/indexing/place.ts'
import type { Clock } from '../../../ports/clock.ts'
import { createHttpClient } from '../../http/http-client.ts'
import { downloadTries } from '../../http/tries.ts'
import { withoutRoom } from '../../http/without-room.ts'
import { createRooms } from '../../runtime/room.ts'
import { type RemoteStat, statRemote } from './stat-remote.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>
type Growing = Extract<JobOutcome, { status: 'growing' }>

/** Archive files on servers. */
export interface RemoteFiles {
  stat(place: Place, context: TaskContext): Promise<E.Either<Failure, RemoteStat>>
  /**
   * Downloads the file, whole and in the state of `look`, and keeps the copy while `use` works on it. The next call
   * resumes a download that broke off. Throws what `use` does, `NoRoom`, and the reason of the signal.
   */
  withCopy<A>(
    file: RemoteStat,
    context: TaskContext,
    use: (path: string) => Promise<A>,
  ): Promise<A | Failure | Growing>
  close(): Promise<void>
}

interface RemoteOptions {
  /** Folder of the copies while they are read. */
  readonly folder: string
  /** Comma-separated host names; undefined: any host is allowed. */
  readonly hosts: string | undefined
  readonly stallMillis: number
  readonly clock: Clock
  /** Attempts without much progress. */
  readonly tries?: number
  /** Percentage of the disk that may be in use, by whatever. Default: 100. */
  readonly roomPercent?: number
}

export const createRemoteFiles = (options: RemoteOptions): RemoteFiles => {
  const { folder, hosts, stallMillis, clock, tries = downloadTries, roomPercent = 100 } = options
  const rooms = createRooms(roomPercent)
  const client = createHttpClient({ stallMillis })
  const allowed: AllowedHosts = {
    hosts: hosts === undefined ? undefined : (parseHosts(hosts) ?? []),
    content: 'archive files',
    setting: 'FONDS_INGEST_HOSTS',
  }
  const asked = ({ foreign = false }: Pick<Place, 'foreign'>) => ({
    client,
    allowed: { ...allowed, isForeign: foreign },
    stallMillis,
    tries,
    clock,
  })
  const stat = (place: Place, context: TaskContext) => statRemote(place, asked(place), context)

  return {
    stat,
    withCopy: async (before, context, use) => {
      const { address, size, modifiedAt, foreign = false } = before
      await makeFolder(folder)
      const key = createHash('sha256').update(address).digest('hex')
      const takeRoom = rooms.writer(folder)
      const part = await openPart({ folder, key, uri: address, staleMillis: 2 * stallMillis }, takeRoom)
      let isLeft = false
      try {
        const settings = { ...asked(before), maxBytes: size + 1024 ** 2, takeRoom }
        await download(address, part, undefined, settings, context)
        const after = await stat({ location: address, modifiedAt, foreign }, context)
        if (E.isLeft(after)) return after.left
        return part.size === size &&
          isSame(before, after.right) &&
          isSame(before, { ...before, validators: part.representation })
          ? await use(part.path)
          : { status: 'growing', size: after.right.size, modifiedAt: clock.now() }
      } catch (error) {
        isLeft = context.signal.aborted || error instanceof DownloadFailure
        if (error instanceof DownloadFailure)
          return { status: 'failed', code: 'unreadable', reason: error.message }
        if (!(error instanceof NoRoom)) throw error
        const { isKept, failure } = await withoutRoom(error, part, { uri: address, folder, rooms })
        isLeft = isKept
        throw failure
      } finally {
        await (isLeft ? part.leave() : part.discard())
      }
    },
    close: client.close,
  }
}

const isSame = (one: RemoteStat, other: RemoteStat): boolean =>
  one.size === other.size &&
  one.validators.etag === other.validators.etag &&
  one.validators.lastModified === other.validators.lastModified
