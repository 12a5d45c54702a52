import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { machineFailure } from '../../async/machine-failure.ts'
import type { TaskContext } from '../../async/task-context.ts'
import type { JobOutcome } from '../../domain/indexing/outcome.ts'
import { isRemote, type Place, stillAt } from '../../domain/indexing/place.ts'
import type { RemoteFiles } from './remote/remote-files.ts'
import type { RemoteStat } from './remote/stat-remote.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>
type Growing = Extract<JobOutcome, { status: 'growing' }>

/** The present state of a file. */
export interface FileStat {
  readonly path: string
  readonly size: number
  readonly modifiedAt: string
  /** Equal for two names of one file. */
  readonly identity: string
  /** Present: the file is on a server, and its path is the URL. */
  readonly remote?: RemoteStat
}

/** Reads the present state of a file. Left: it cannot be read here. */
export const statFile = async (
  place: Place,
  remote: RemoteFiles,
  context: TaskContext,
): Promise<E.Either<Failure, FileStat>> => {
  const { location } = place
  if (isRemote(location)) {
    const found = await remote.stat(place, context)
    return E.map((found: RemoteStat) => ({ ...found, path: location, identity: location, remote: found }))(
      found,
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
  { path, remote: found }: FileStat,
  remote: RemoteFiles,
  context: TaskContext,
  use: (path: string) => Promise<A>,
) => (found ? remote.withCopy(found, context, use) : use(path))

const fail = (code: Failure['code'], reason: string): E.Either<Failure, never> =>
  E.left({ status: 'failed', code, reason })

/** True if the file may still be written to. */
export const isYoung = (file: FileStat, now: string, graceMillis: number): boolean =>
  stillAt({ modifiedAt: changedAt(file) }, now, graceMillis) > now

export const growing = (file: FileStat): Growing => ({
  status: 'growing',
  size: file.size,
  modifiedAt: changedAt(file),
})

const changedAt = ({ modifiedAt, remote }: FileStat): string => remote?.changedAt ?? modifiedAt
