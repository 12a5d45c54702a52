import fs, { type BigIntStats } from 'node:fs'
import { stat as statPath } from 'node:fs/promises'
import { promisify } from 'node:util'

type Soon<A> = A | Promise<A>

/** The system calls of reading one file. For a small file they cost as much as its bytes. */
export interface FileCalls {
  realpath(path: string): Soon<string>
  open(path: string, flags: number): Soon<number>
  stat(file: number): Soon<BigIntStats>
  /** Follows symbolic links. */
  statPath(path: string): Soon<BigIntStats>
  /** Reads as many bytes as it gets at once, 0 at the end; undefined: bytes are read ahead while others are used. */
  readonly readNow?: (file: number, buffer: Buffer, bytes: number, from: number) => number
  close(file: number): Soon<void>
}

const realpath = promisify(fs.realpath.native)
const open = promisify(fs.open)
const stat = promisify(fs.fstat)
const close = promisify(fs.close)

/** For a thread with other work: each call changes threads, and blocks nothing. */
export const yieldingCalls: FileCalls = {
  realpath: (path) => realpath(path),
  open: (path, flags) => open(path, flags),
  stat: (file) => stat(file, { bigint: true }),
  statPath: (path) => statPath(path, { bigint: true }),
  close: (file) => close(file),
}

/** For a thread that only reads: blocking takes half the time, and bytes stay in the cache of the core that uses them. */
export const blockingCalls = {
  realpath: (path) => fs.realpathSync.native(path),
  open: (path, flags) => fs.openSync(path, flags),
  stat: (file) => fs.fstatSync(file, { bigint: true }),
  statPath: (path) => fs.statSync(path, { bigint: true }),
  readNow: (file, buffer, bytes, from) => fs.readSync(file, buffer, 0, bytes, from),
  close: (file) => fs.closeSync(file),
} satisfies FileCalls
