import { isSystemError } from '@fonds/toolbox'
import * as either from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { machineFailure } from '../../../src/async/machine-failure.ts'
import type { ContentFailure } from '../../../src/ports/content-store.ts'
import { Failed } from '../failed.ts'

/** Runs file-system calls about one path. Errors of the system become failures; any other is a bug. */
export const attempt =
  <A>(path: string, work: () => Promise<A>): TaskEither<ContentFailure, A> =>
  async () => {
    try {
      return either.right(await work())
    } catch (error) {
      if (error instanceof Failed) return either.left(error.failure)
      if (isSystemError(error)) return either.left(failureOf(path, error))
      throw error
    }
  }

const failureOf = (path: string, error: NodeJS.ErrnoException): ContentFailure => {
  const code = error.code ?? ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'NotFound', path }
  const machine = machineFailure(error)
  if (machine) return { kind: 'Machine', path, reason: machine.message }
  const kind = refusals.has(code) ? 'Refused' : 'Unreadable'
  return { kind, path, reason: reasonOf(error) }
}

/** Describes a system error for a person, with what to do. */
export const reasonOf = (error: NodeJS.ErrnoException): string =>
  reasons[error.code ?? ''] ?? `the system says ${error.message}`

/** Errors that would recur at every attempt. */
const refusals = new Set(['EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ENXIO', 'ENOTEMPTY', 'EROFS'])

const denied = 'permission denied; give the user that runs Fonds access to it'

const reasons: Readonly<Record<string, string>> = {
  EACCES: denied,
  EPERM: denied,
  EIO: 'input/output error: the disk or network storage could not give the bytes; check its health, then try again',
  EISDIR: 'is a folder, not content',
  ELOOP: 'its symbolic links lead round in a circle or away from content; name the file itself',
  ENAMETOOLONG: 'the name is longer than this file system allows',
  ENOTEMPTY: 'a folder of this name exists',
  ENXIO: 'is not a regular file',
  EROFS: 'the file system is mounted read-only',
  ENOSPC: 'the disk is full; make room, then try again',
  EMFILE: 'too many files are open; raise the limit of open files or use fewer threads',
  ESTALE: 'the network file system lost the file; check the mount, then try again',
  ENOENT: 'is not there',
  ENOTDIR: 'is not a folder',
}
