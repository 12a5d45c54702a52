import fs, { type BigIntStats } from 'node:fs'
import { stat as statPath } from 'node:fs/promises'
import { promisify } from 'node:util'

type Soon<A> = A | Promise<A>

/** The system calls around reading one file. For a small file they cost as much as its bytes. */
export interface FileCalls {
  realpath(path: string): Soon<string>
  open(path: string, flags: number): Soon<number>
  stat(file: number): Soon<BigIntStats>
  /** Of what a path leads to. */
  statPath(path: string): Soon<BigIntStats>
  /** A whole small file; undefined: its bytes are read ahead while they are used. */
  readonly readSmall?: (file: number, buffer: Buffer, size: number) => number
  close(file: number): Soon<void>
}

const realpath = promisify(fs.realpath.native)
const open = promisify(fs.open)
const stat = promisify(fs.fstat)
const close = promisify(fs.close)

const readSync = (file: number, buffer: Buffer, size: number): number => {
  let bytes = 0
  while (bytes < size) {
    const got = fs.readSync(file, buffer, bytes, size - bytes, bytes)
    if (got === 0) break
    bytes += got
  }
  return bytes
}

/** For a thread with other work: each call changes threads, and blocks nothing. */
export const yieldingCalls: FileCalls = {
  realpath: (path) => realpath(path),
  open: (path, flags) => open(path, flags),
  stat: (file) => stat(file, { bigint: true }),
  statPath: (path) => statPath(path, { bigint: true }),
  close: (file) => close(file),
}

/** For a thread that does nothing but read: blocking takes half the time. */
export const blockingCalls: FileCalls = {
  realpath: (path) => fs.realpathSync.native(path),
  open: (path, flags) => fs.openSync(path, flags),
  stat: (file) => fs.fstatSync(file, { bigint: true }),
  statPath: (path) => fs.statSync(path, { bigint: true }),
  readSmall: readSync,
  close: (file) => fs.closeSync(file),
}
