import fs, { type Stats } from 'node:fs'
import { promisify } from 'node:util'

type Soon<A> = A | Promise<A>

/** The system calls for reading one local file. */
export interface FileCalls {
  realpath(path: string): Soon<string>
  readlink(path: string): Soon<string>
  open(path: string, flags: number): Soon<number>
  stat(file: number): Soon<Stats>
  /** Returns the number of bytes read; 0 at the end. */
  read(file: number, into: Uint8Array, at: number): Soon<number>
  close(file: number): Soon<void>
}

const realpath = promisify(fs.realpath.native)
const readlink = promisify(fs.readlink)
const open = promisify(fs.open)
const stat = promisify(fs.fstat)
const read = promisify(fs.read)
const close = promisify(fs.close)

/** For a thread with other work: each call changes threads, and blocks nothing. */
export const yieldingCalls: FileCalls = {
  realpath: (path) => realpath(path),
  readlink: (path) => readlink(path),
  open: (path, flags) => open(path, flags),
  stat: (file) => stat(file),
  read: async (file, into, at) => (await read(file, into, 0, into.length, at)).bytesRead,
  close: (file) => close(file),
}

/** For a thread that does nothing else. */
export const blockingCalls: FileCalls = {
  realpath: (path) => fs.realpathSync.native(path),
  readlink: (path) => fs.readlinkSync(path),
  open: (path, flags) => fs.openSync(path, flags),
  stat: (file) => fs.fstatSync(file),
  read: (file, into, at) => fs.readSync(file, into, 0, into.length, at),
  close: (file) => fs.closeSync(file),
}
