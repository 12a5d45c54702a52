import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { MachineFailure, machineFailure } from '../../async/machine-failure.ts'
import type { TaskContext } from '../../async/task-context.ts'
import type { JobOutcome } from '../../domain/indexing/outcome.ts'
import { isRemote, type Place, stillAt } from '../../domain/indexing/place.ts'
import type { ContentEntry } from '../../ports/content-store.ts'
import type { RemoteFiles } from './remote/remote-files.ts'
import type { RemoteStat } from './remote/stat-remote.ts'
import { type ContentPlace, contentPlace } from './streams/content-place.ts'
import type { HttpRules, StreamOutcome } from './streams/messages.ts'
import type { Streams } from './streams/streams.ts'
import type { JobFile } from './threads/messages.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>
type Growing = Extract<JobOutcome, { status: 'growing' }>

/** Ways to files that are not on this machine. */
export interface Elsewhere {
  readonly streams: Streams
  /** Fetches files of servers that know no ranges. */
  readonly remote: RemoteFiles
  readonly http: HttpRules
}

/** The present state of a file. */
export interface FileStat {
  readonly path: string
  readonly size: number
  /** By the list, if it has a date: then that is the one to be reported. */
  readonly modifiedAt: string
  /** By the server, if it is on one. */
  readonly changedAt?: string
  /** Equal for two names of one file. */
  readonly identity: string
  /** Present: the file is on a web server, and its path is the URL. */
  readonly remote?: RemoteStat
  /** Present: it is read where it is, on a server. */
  readonly stream?: { readonly place: ContentPlace; readonly http: HttpRules; readonly entry?: ContentEntry }
}

/** Reads the present state of a file. Left: it cannot be read here. */
export const statFile = async (
  place: Place,
  elsewhere: Elsewhere,
  context: TaskContext,
): Promise<E.Either<Failure, FileStat>> => {
  const { location } = place
  if (isRemote(location))
    return location.startsWith('s3:')
      ? statObject(place, elsewhere, context)
      : statWeb(place, elsewhere, context)
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

const statWeb = async (
  place: Place,
  { remote, http }: Elsewhere,
  context: TaskContext,
): Promise<E.Either<Failure, FileStat>> => {
  const { location, foreign = false } = place
  const inStore = contentPlace(location)
  return E.map((found: RemoteStat) => ({
    ...found,
    path: location,
    identity: location,
    remote: found,
    ...(found.hasRanges && inStore && { stream: { place: inStore, http: { ...http, isForeign: foreign } } }),
  }))(await remote.stat(place, context))
}

const statObject = async (
  { location, modifiedAt }: Place,
  { streams, http }: Elsewhere,
  context: TaskContext,
): Promise<E.Either<Failure, FileStat>> => {
  const place = contentPlace(location)
  if (!place) return fail('unreadable', `${location} is no address of an object; give s3://bucket/key`)
  return E.map((entry: ContentEntry) => ({
    path: location,
    size: entry.size,
    modifiedAt: modifiedAt ?? entry.modifiedAt,
    changedAt: entry.modifiedAt,
    identity: location,
    stream: { place, http, entry },
  }))(entryIn(await streams.stat(place, http, context), location))
}

const entryIn = (outcome: StreamOutcome, location: string): E.Either<Failure, ContentEntry> => {
  if (outcome.status === 'found') return E.right(outcome.entry)
  if (outcome.status === 'broken') return fail('unreadable', `${location} cannot be read: ${outcome.reason}`)
  if (outcome.status === 'closed') throw new Error('a file that is asked for cannot be closed')
  const { failure } = outcome
  if (failure.kind === 'Machine') throw new MachineFailure(failure.reason)
  if (failure.kind === 'NotFound') return fail('not-found', `${location} is not there`)
  const reason = failure.kind === 'Changed' ? 'it changed meanwhile' : failure.reason
  return fail('unreadable', `${location} cannot be read: ${reason}`)
}

/** Calls `use` with the file: as a stream where its server sends ranges, as a copy where it does not. */
export const withFile = async <A>(
  file: FileStat,
  { streams, remote }: Elsewhere,
  context: TaskContext,
  use: (file: JobFile) => Promise<A>,
): Promise<A | Failure | Growing> => {
  const { path, size, remote: found, stream } = file
  if (!stream) return found ? remote.withCopy(found, context, use) : use(path)
  const { place, http } = stream
  const entry = stream.entry ? E.right(stream.entry) : entryIn(await streams.stat(place, http, context), path)
  if (E.isLeft(entry)) return entry.left
  return entry.right.size === size
    ? streams.withStream(place, http, entry.right, context, use)
    : growing({ ...file, size: entry.right.size })
}

const fail = (code: Failure['code'], reason: string): E.Either<Failure, never> =>
  E.left({ status: 'failed', code, reason })

/** True if the file may still be written to. */
export const isYoung = (file: FileStat, now: string, graceMillis: number): boolean =>
  stillAt({ location: file.path, modifiedAt: changedAt(file) }, now, graceMillis) > now

export const growing = (file: FileStat): Growing => ({
  status: 'growing',
  size: file.size,
  modifiedAt: changedAt(file),
})

const changedAt = ({ modifiedAt, changedAt = modifiedAt }: FileStat): string => changedAt
