import { isSystemError } from '@fonds/toolbox'

/** Describes an error of a disk for a person, with advice; undefined for any other error. */
export const diskReason = (error: unknown): string | undefined => {
  if (!isSystemError(error)) return undefined
  const reason = reasons[String(error.code)]
  if (reason === undefined) return undefined
  // For a copy, its target.
  const { dest, path = dest } = error as { readonly dest?: unknown; readonly path?: unknown }
  const place = typeof dest === 'string' ? dest : path
  return typeof place === 'string' ? `${reason} (${clipped(place)})` : reason
}

const maxPathLength = 300

const clipped = (path: string): string =>
  path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`

const denied = 'it may not be written to; give the user that runs Fonds the right to'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room, then try again',
  EDQUOT: 'the quota of the disk is used up; make room, then try again',
  EROFS: 'the disk is mounted read-only; mount it for writing, then try again',
  EACCES: denied,
  EPERM: denied,
  EIO: 'the disk cannot read or write; check its health, then try again',
  ESTALE: 'the network file system lost the file; check the mount, then try again',
  ENAMETOOLONG: 'the path is longer than this file system takes; use shorter names',
  EMFILE: 'too many files are open; raise the limit of open files',
}
