import { constants, read } from 'node:fs'
import { breather } from '../../../src/async/threads/breather.ts'
import type { ContentStore } from '../../../src/ports/content-store.ts'
import { type ByteRange, rangeIn } from '../byte-range.ts'
import { changed, refused, stopped, unreadable } from '../failed.ts'
import type { FileCalls } from './calls.ts'
import { entryOf, versionOf, whyNotContent } from './entry.ts'
import { isLink, locate, type Root } from './root.ts'

type ReadOptions = Parameters<ContentStore['read']>[1]
type OnChunk = Parameters<ContentStore['read']>[2]

/** Bytes. Larger buffers gain nothing and fall out of the cache. */
const chunkSize = 256 * 1024

/** Buffers for reuse: to allocate one takes longer than to read a small file. */
const spare: Buffer[] = []
const maxSpare = 16
const takeBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(chunkSize)
const giveBack = (buffer: Buffer): void => {
  if (spare.length < maxSpare) spare.push(buffer)
}

/** Does not wait for a pipe's writer, and follows no link that was put there since the path was resolved. */
export const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Throws `Failed`, system errors, and whatever `onChunk` throws. */
export const readFile = async (root: Root, path: string, options: ReadOptions, onChunk: OnChunk) => {
  const { calls } = root
  const real = await locate(root, path)
  const file = await calls.open(real, readFlags)
  try {
    const before = await calls.stat(file)
    const reason = whyNotContent(before)
    if (reason) throw refused(path, reason)
    const version = versionOf(before)
    if (options.version !== undefined && options.version !== version) throw changed(path)
    await options.onEntry?.({ ...entryOf(path, before), isLink: isLink(root, path, real) })

    const range = rangeIn(Number(before.size), options)
    const bytes = calls.readNow
      ? await inTurn(file, path, range, options.signal, calls.readNow, onChunk)
      : await pump(file, path, range, options.signal, onChunk)
    if (versionOf(await calls.stat(file)) !== version) throw changed(path)
    const wanted = range.to - range.from
    if (bytes !== wanted) throw unreadable(path, `got ${bytes} of ${wanted} bytes`)
    return { bytes, version }
  } finally {
    await calls.close(file)
  }
}

/** So often a blocked thread hears of the signal. */
const breathMillis = 100

/** Reads and uses in turn, with one buffer; the system reads ahead. Stops at `to` or where the file ends early. */
const inTurn = async (
  file: number,
  path: string,
  { from, to }: ByteRange,
  signal: AbortSignal | undefined,
  readNow: NonNullable<FileCalls['readNow']>,
  onChunk: OnChunk,
): Promise<number> => {
  const buffer = takeBuffer()
  const breathe = breather(breathMillis)
  let at = from
  try {
    while (at < to) {
      const got = readNow(file, buffer, Math.min(buffer.length, to - at), at)
      if (got === 0) break
      at += got
      await onChunk(buffer.subarray(0, got))
      if (at < to) await breathe()
      if (signal?.aborted) throw stopped(path)
    }
    return at - from
  } finally {
    giveBack(buffer)
  }
}

/** Reads ahead by one buffer while the consumer works on the other. Stops at `to` or where the file ends early. */
const pump = async (
  file: number,
  path: string,
  { from, to }: ByteRange,
  signal: AbortSignal | undefined,
  onChunk: OnChunk,
): Promise<number> => {
  let current = takeBuffer()
  let other = takeBuffer()
  let ahead = fill(file, current, from, to)
  let at = from
  try {
    for (;;) {
      const got = await ahead
      if (typeof got !== 'number') throw got
      if (got === 0) return at - from
      if (signal?.aborted) throw stopped(path)
      at += got
      ahead = fill(file, other, at, to)
      await onChunk(current.subarray(0, got))
      ;[current, other] = [other, current]
    }
  } finally {
    // The system may still be writing into a buffer, and the file must not be closed under it.
    await ahead
    giveBack(current)
    giveBack(other)
  }
}

/** Resolves with an error rather than rejecting: nobody waits for it while the consumer works. */
const fill = (
  file: number,
  buffer: Buffer,
  from: number,
  to: number,
): Promise<number | NodeJS.ErrnoException> =>
  new Promise((resolve) => {
    const wanted = Math.min(buffer.length, to - from)
    if (wanted <= 0) return resolve(0)
    read(file, buffer, 0, wanted, from, (error, bytes) => resolve(error ?? bytes))
  })
