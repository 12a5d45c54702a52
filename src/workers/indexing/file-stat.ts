import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { machineFailure } from '../../async/machine-failure.ts'
import type { TaskContext } from '../../async/task-context.ts'
import type { JobOutcome } from '../../domain/indexing/outcome.ts'
import { isRemote, type Place, stillAt } from '../../domain/indexing/place.ts'
import type { RemoteFiles } from './remote/remote-files.ts'
import type { RemoteLook } from './remote/stat-remote.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>
type Growing = Extract<JobOutcome, { status: 'growing' }>

/** The present state of a file. */
export interface Look {
  readonly path: string
  readonly size: number
  readonly modifiedAt: string
  /** Equal for two names of one file. */
  readonly identity: string
  /** Present: the file is on a server, and its path is the URL. */
  readonly remote?: RemoteLook
}

/** Reads the present state of a file. Left: it cannot be read here. */
export const lookAt = async (
  place: Place,
  remote: RemoteFiles,
  context: TaskContext,
): Promise<E.Either<Failure, Look>> => {
  const { location } = place
  if (isRemote(location)) {
    const look = await remote.look(place, context)
    return E.map((found: RemoteLook) => ({ ...found, path: location, identity: location, remote: found }))(
      look,
    )
  }
  try {
    const path = location.startsWith('file:') ? fileURLToPath(location) : location
    const stats = await stat(path)
    if (!stats.isFile()) return fail('not-an-archive', `${location} is no file`)
    return E.right({
      path,
      size: stats.size,
      modifiedAt: stats.mtime.toISOString(),
      identity: `${stats.dev}/${stats.ino}`,
    })
  } catch (error) {
    const machine = machineFailure(error)
    if (machine) throw machine
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? fail('not-found', `${location} is not there`)
      : fail('unreadable', `${location} cannot be examined: ${message}`)
  }
}

/** Calls `use` with a local file: a copy, if the file is on a server. */
export const withFile = <A>(
  { path, remote: found }: Look,
  remote: RemoteFiles,
  context: TaskContext,
  use: (path: string) => Promise<A>,
) => (found ? remote.withCopy(found, context, use) : use(path))

const fail = (code: Failure['code'], reason: string): E.Either<Failure, never> =>
  E.left({ status: 'failed', code, reason })

/** True if the file may still be written to. */
export const isYoung = (look: Look, now: string, graceMillis: number): boolean =>
  stillAt({ modifiedAt: changedAt(look) }, now, graceMillis) > now

export const growing = (look: Look): Growing => ({
  status: 'growing',
  size: look.size,
  modifiedAt: changedAt(look),
})

const changedAt = ({ modifiedAt, remote }: Look): string => remote?.changedAt ?? modifiedAt
