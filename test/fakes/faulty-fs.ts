import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { getSystemErrorMap } from 'node:util'
import { onTestFinished } from 'vitest'
import { isBeneath } from '#src/async/is-beneath.ts'

/*
 * A disk that says no: the calls of `node:fs` and `node:fs/promises` of this process, and of its file handles and streams, fail or are cut
 * short where a test says so. Production code has no hook for it. Threads have file systems of their own: a test calls what they run.
 */

/**
 * Kinds of calls, whether blocking, with a callback or with a promise. `sync`: of data, or of file and folder. `create`: to open
 * a file for writing, which is an `open` as well.
 */
export type FsCall = keyof typeof callsOf | 'create'

const callsOf = {
  open: ['open'],
  read: ['read', 'readv', 'readFile'],
  write: ['write', 'writev', 'writeFile', 'appendFile'],
  sync: ['fsync', 'fdatasync'],
  truncate: ['truncate', 'ftruncate'],
  rename: ['rename'],
  link: ['link', 'symlink'],
  copy: ['copyFile', 'cp'],
  mkdir: ['mkdir', 'mkdtemp'],
  remove: ['unlink', 'rm', 'rmdir'],
  list: ['readdir', 'opendir'],
  stat: ['stat', 'lstat', 'fstat', 'statfs', 'access', 'realpath', 'readlink'],
  touch: ['utimes', 'futimes', 'chmod', 'fchmod', 'chown', 'fchown'],
} as const

/** All that changes a disk. */
export const writingCalls: readonly FsCall[] = [
  ...(['create', 'write', 'sync', 'truncate', 'rename', 'link', 'copy', 'mkdir', 'remove', 'touch'] as const),
]

export interface Fault {
  /** On this path, or beneath it; absent: anywhere. Of two paths (rename, link) either counts. */
  readonly path?: string
  /** Absent: any call. */
  readonly calls?: readonly FsCall[]
  /** The first matching call that it hits, from 1; default: the first. */
  readonly nth?: number
  /** How many it hits from there on; default: all. */
  readonly times?: number
  /** Default: `ENOSPC`, unless writes are short. */
  readonly code?: string
  /** A write takes so many bytes at most: without `code` it says so, and with it the call fails behind that. */
  readonly shortBytes?: number
}

export interface SetFault {
  /** Matching calls so far, those hit and those not. */
  seen(): number
  /** Calls that failed, or were cut short. */
  hits(): number
  clear(): void
}

export interface FsCallMade {
  readonly call: FsCall
  /** As Node's function is called: `writeSync`, `promises.rename`, `handle.write`. */
  readonly name: string
  readonly path: string | undefined
}

export interface FaultyFs {
  set(fault: Fault): SetFault
  /** Calls since the begin, or since `forget`: what a test that fails each of them in turn goes by. */
  made(): readonly FsCallMade[]
  forget(): void
  /** All is as it was; done by itself when the test is over. */
  restore(): void
}

interface Set {
  readonly fault: Fault
  seen: number
  hits: number
}

/** What is to become of a call: undefined, it is made as it is. */
interface Verdict {
  readonly error?: NodeJS.ErrnoException
  readonly shortBytes?: number
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown
type Functions = Record<string, AnyFunction>

/** One at a time. */
export const useFaultyFs = (): FaultyFs => {
  const faults: Set[] = []
  const made: FsCallMade[] = []
  const pathOfFd = new Map<number, string>()
  const undo: (() => void)[] = []

  const judge = (
    call: FsCall,
    name: string,
    base: string,
    paths: readonly (string | undefined)[],
  ): Verdict => {
    made.push({ call, name, path: paths[0] })
    let shortBytes: number | undefined
    for (const set of faults) {
      const { path, calls, nth = 1, times = Number.POSITIVE_INFINITY, ...rest } = set.fault
      if (calls && !calls.includes(call) && !(call === 'create' && calls.includes('open'))) continue
      if (path !== undefined && !paths.some((one) => one !== undefined && isBeneath(one, [path]))) continue
      set.seen++
      if (set.seen < nth || set.seen >= nth + times) continue
      set.hits++
      const code = rest.code ?? (rest.shortBytes === undefined ? 'ENOSPC' : undefined)
      if (code !== undefined) return { error: systemError(code, base, paths), ...rest }
      // Node writes whole files in a loop.
      if (!/File$/.test(base)) shortBytes = rest.shortBytes
    }
    return shortBytes === undefined ? {} : { shortBytes }
  }

  const replace = (of: Functions, key: string, wrap: (original: AnyFunction) => AnyFunction) => {
    const original = of[key]
    if (typeof original !== 'function') return
    of[key] = Object.assign(wrap(original), original)
    undo.push(() => {
      of[key] = original
    })
  }

  const pathsOf = (call: FsCall, args: readonly unknown[]): readonly (string | undefined)[] => {
    const [first, second] = args.map((arg) => (typeof arg === 'number' ? pathOfFd.get(arg) : pathIn(arg)))
    return ['rename', 'link', 'copy'].includes(call) ? [first, second] : [first]
  }

  const sync = fs as unknown as Functions
  const promises = fs.promises as unknown as Functions
  for (const [kind, bases] of Object.entries(callsOf) as [FsCall, readonly string[]][])
    for (const base of bases) {
      const callOf = (args: readonly unknown[]) => (base === 'open' && mayWrite(args[1]) ? 'create' : kind)
      replace(sync, `${base}Sync`, (original) => (...args) => {
        const call = callOf(args)
        const { error, shortBytes } = judge(call, `${base}Sync`, base, pathsOf(call, args))
        const given = shortBytes === undefined ? args : shortened(base, args, shortBytes)
        if (error) {
          if (shortBytes !== undefined) original(...given)
          throw error
        }
        const result = original(...given)
        if (base === 'open') pathOfFd.set(result as number, String(pathIn(args[0])))
        return result
      })
      replace(sync, base, (original) => (...args) => {
        const done = args.at(-1)
        if (typeof done !== 'function') return original(...args)
        const call = callOf(args)
        const { error, shortBytes } = judge(call, base, base, pathsOf(call, args))
        const given = shortBytes === undefined ? args : shortened(base, args, shortBytes)
        if (error && shortBytes === undefined) return void setImmediate(() => done(error))
        const answer = (failed: unknown, ...rest: unknown[]) => {
          if (base === 'open' && !failed) pathOfFd.set(rest[0] as number, String(pathIn(args[0])))
          done(error ?? failed, ...rest)
        }
        return original(...given.slice(0, -1), answer)
      })
      replace(promises, base, (original) => async (...args) => {
        const call = callOf(args)
        const { error, shortBytes } = judge(call, `promises.${base}`, base, pathsOf(call, args))
        const given = shortBytes === undefined ? args : shortened(base, args, shortBytes)
        if (error && shortBytes === undefined) throw error
        const result = await original(...given)
        if (error) throw error
        if (base === 'open') watchHandle(result as fs.promises.FileHandle, String(pathIn(args[0])))
        return result
      })
    }

  /** The calls of a file handle, which know no path. */
  const watchHandle = (handle: fs.promises.FileHandle, path: string) => {
    pathOfFd.set(handle.fd, path)
    const own = handle as unknown as Functions
    const names = { ...handleCalls }
    for (const [name, [call, base]] of Object.entries(names)) {
      const original = own[name]?.bind(handle)
      if (!original) continue
      own[name] = async (...args) => {
        const { error, shortBytes } = judge(call, `handle.${name}`, base, [path])
        const given = shortBytes === undefined ? args : shortened(base, [0, ...args], shortBytes).slice(1)
        if (error && shortBytes === undefined) throw error
        const result = await original(...given)
        if (error) throw error
        return result
      }
    }
  }

  const restore = () => {
    for (const back of undo.splice(0).reverse()) back()
    syncBuiltinESMExports()
  }
  syncBuiltinESMExports()
  onTestFinished(restore)

  return {
    set: (fault) => {
      const set: Set = { fault, seen: 0, hits: 0 }
      faults.push(set)
      return {
        seen: () => set.seen,
        hits: () => set.hits,
        clear: () => void faults.splice(faults.indexOf(set), faults.includes(set) ? 1 : 0),
      }
    },
    made: () => [...made],
    forget: () => void made.splice(0),
    restore,
  }
}

const handleCalls: Readonly<Record<string, readonly [FsCall, string]>> = {
  read: ['read', 'read'],
  readv: ['read', 'readv'],
  readFile: ['read', 'readFile'],
  write: ['write', 'write'],
  writev: ['write', 'writev'],
  writeFile: ['write', 'writeFile'],
  appendFile: ['write', 'appendFile'],
  sync: ['sync', 'fsync'],
  datasync: ['sync', 'fdatasync'],
  truncate: ['truncate', 'ftruncate'],
  stat: ['stat', 'fstat'],
  utimes: ['touch', 'futimes'],
  chmod: ['touch', 'fchmod'],
}

/** By the flags that a file is opened with. */
const mayWrite = (flags: unknown): boolean =>
  typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : typeof flags === 'string' && /[wa+]/.test(flags)

const pathIn = (arg: unknown): string | undefined => {
  if (typeof arg === 'string') return arg
  if (arg instanceof URL) return arg.pathname
  return Buffer.isBuffer(arg) ? String(arg) : undefined
}

/** As Node words them. */
const systemError = (
  code: string,
  base: string,
  [path, dest]: readonly (string | undefined)[],
): NodeJS.ErrnoException => {
  const known = [...getSystemErrorMap()].find(([, [name]]) => name === code)
  const syscall = base === 'writeFile' || base === 'appendFile' ? 'write' : base.toLowerCase()
  const places = /^f?(write|read|writev|readv|sync|datasync|truncate)$/.test(base) ? [] : [path, dest]
  const said = places.filter((one) => one !== undefined).map((one) => `'${one}'`)
  const message = `${code}: ${known?.[1][1] ?? 'unknown error'}, ${syscall}${said.length > 0 ? ` ${said.join(' -> ')}` : ''}`
  return Object.assign(new Error(message), {
    code,
    syscall,
    ...(known && { errno: known[0] }),
    ...(said.length > 0 && { path }),
    ...(said.length > 1 && { dest }),
  })
}

/** The arguments of a write, whose second one is what is written, with so many bytes at most. Others stay as they are. */
const shortened = (base: string, args: readonly unknown[], bytes: number): unknown[] => {
  const [target, data, offset, length, ...rest] = args
  if (!['write', 'writeFile', 'appendFile'].includes(base)) return [...args]
  if (typeof data === 'string') return [target, clipped(data, bytes), ...args.slice(2)]
  if (!(data instanceof Uint8Array)) return [...args]
  if (base !== 'write') return [target, data.subarray(0, bytes), ...args.slice(2)]
  if (typeof offset === 'object' && offset !== null) {
    const { length: most } = offset as { readonly length?: number }
    return [target, data, { ...offset, length: Math.min(bytes, most ?? data.byteLength) }, ...args.slice(3)]
  }
  const from = typeof offset === 'number' ? offset : 0
  const most = typeof length === 'number' ? length : data.byteLength - from
  const behind = typeof offset === 'function' ? [offset] : typeof length === 'function' ? [length] : rest
  return [target, data, from, Math.min(bytes, most), ...behind]
}

const clipped = (text: string, bytes: number): string => Buffer.from(text).subarray(0, bytes).toString()
