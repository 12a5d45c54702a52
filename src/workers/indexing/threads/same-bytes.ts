import { closeSync, openSync, readSync } from 'node:fs'
import { openStream } from '../streams/open-stream.ts'
import type { JobFile } from './messages.ts'

const blockBytes = 1024 * 1024

/** Returns whether two files hold the same bytes. Throws as streams do, and the errors of the disk. */
export const sameBytes = async (
  [first, second]: readonly [JobFile, JobFile],
  breathe: () => Promise<void>,
  onWait: () => void,
): Promise<boolean> => {
  using one = opened(first, onWait)
  using other = opened(second, onWait)
  const [a, b] = [Buffer.allocUnsafe(blockBytes), Buffer.allocUnsafe(blockBytes)]
  for (let at = 0; ; ) {
    const [read, also] = [readFull(one, a, at), readFull(other, b, at)]
    if (read !== also || !a.subarray(0, read).equals(b.subarray(0, also))) return false
    if (read < blockBytes) return true
    at += read
    await breathe()
  }
}

interface OpenedFile extends Disposable {
  read(offset: number, buffer: Buffer): number
}

const opened = (file: JobFile, onWait: () => void): OpenedFile => {
  if (typeof file !== 'string') {
    const { read, close } = openStream(file, onWait)
    return { read, [Symbol.dispose]: close }
  }
  const fd = openSync(file, 'r')
  return {
    read: (offset, buffer) => readSync(fd, buffer, 0, buffer.length, offset),
    [Symbol.dispose]: () => closeSync(fd),
  }
}

/** Fills the buffer, but at the end of the file. */
const readFull = (file: OpenedFile, into: Buffer, at: number): number => {
  let filled = 0
  while (filled < into.length) {
    const read = file.read(at + filled, into.subarray(filled))
    if (read === 0) break
    filled += read
  }
  return filled
}
