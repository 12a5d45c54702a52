import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorMessage } from '../../src/async/errors.ts'
import type { Unavailable } from '../../src/ports/unavailable.ts'
import {
  resultCode,
  SQLITE_BUSY,
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_READONLY,
} from './errors.ts'

/** The file cannot be written now: locked by another process, disk full, closed. */
export class WriterAway extends Error {
  override readonly name = 'WriterAway'
}

export const unavailable = (error: unknown): Unavailable => ({
  kind: 'Unavailable',
  reason: errorMessage(error),
})

/** Failures of the machine become `WriterAway`: worth a retry. Everything else is the work's own error. */
export const explained = (file: string, error: unknown): unknown => {
  switch (resultCode(error)) {
    case SQLITE_FULL:
      return new WriterAway(diskFull(file))
    case SQLITE_CORRUPT:
      return new WriterAway(
        'the database is damaged: nothing was written; stop Fonds and put a backup of the file in its place',
      )
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_BUSY:
      return new WriterAway(`the database cannot be written: ${(error as Error).message}`)
    default:
      return error
  }
}

const diskFull = (file: string): string =>
  `the disk is full: ${freeBytes(file)} bytes are free where ${file} is, nothing was written; make room and it goes on by itself`

const freeBytes = (file: string): number => {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize
}

/** Bytes. With less, a small write may still succeed where a larger one fails. */
const littleRoom = 1024 ** 2

/** A sentence where the disk is full, or nearly. */
export const isFull = (file: string): string | undefined =>
  freeBytes(file) < littleRoom ? diskFull(file) : undefined
