import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import type { JobOutcome } from '../../domain/indexing/outcome.ts'
import { stillAt } from '../../domain/indexing/place.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>

/** A file as it is now. */
export interface Look {
  readonly path: string
  readonly size: number
  readonly modifiedAt: string
  /** The same for two names of one file. */
  readonly identity: string
}

/** Left: it cannot be read here. */
export const lookAt = async (location: string): Promise<E.Either<Failure, Look>> => {
  if (/^https?:/.test(location))
    return fail(
      'unreadable',
      `${location} is not on a file system of this machine; mount it, and list its path`,
    )
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
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? fail('not-found', `${location} is not there`)
      : fail('unreadable', `${location} cannot be looked at: ${message}`)
  }
}

const fail = (code: Failure['code'], reason: string): E.Either<Failure, never> =>
  E.left({ status: 'failed', code, reason })

/** Somebody may still write it. */
export const isYoung = ({ modifiedAt }: Look, now: string, graceMillis: number): boolean =>
  stillAt({ modifiedAt }, now, graceMillis) > now

export const growing = ({ size, modifiedAt }: Look): JobOutcome => ({ status: 'growing', size, modifiedAt })
