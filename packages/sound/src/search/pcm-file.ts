import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import type { Pcm } from './finding.ts'
import { rate } from './settings.ts'

/** Random access to the samples of a recording. Reads block: for threads that have nothing else to do. */
export interface PcmFile {
  readonly samples: number
  /** Reads samples from `first` on; zeros before the beginning and beyond the end. */
  read(first: number, into: Int16Array): void
  close(): void
}

const bytesEach = 2

/** Throws if the file is missing or shorter than the recording states, or if its rate is not `rate`. */
export const openPcm = ({ path, samples, rate: given }: Pcm): PcmFile => {
  if (given !== rate)
    throw new Error(`the recording has ${given} samples a second, wants ${rate}: decode it again`)
  const file = openSync(path, 'r')
  const held = Math.floor(fstatSync(file).size / bytesEach)
  if (held < samples) {
    closeSync(file)
    throw new Error(`the recording is to have ${samples} samples and has ${held}: fetch and decode it again`)
  }

  const read = (first: number, into: Int16Array): void => {
    if (first < 0) {
      const before = Math.min(into.length, -first)
      into.fill(0, 0, before)
      if (before < into.length) read(0, into.subarray(before))
      return
    }
    const bytes = Buffer.from(into.buffer, into.byteOffset, into.byteLength)
    const wanted = Math.max(0, Math.min(into.length, samples - first)) * bytesEach
    let got = 0
    while (got < wanted) {
      const n = readSync(file, bytes, got, wanted - got, first * bytesEach + got)
      if (n === 0)
        throw new Error('the recording became shorter while it was read: fetch and decode it again')
      got += n
    }
    bytes.fill(0, wanted)
    if (endianness() === 'BE') bytes.swap16()
  }

  return { samples, read, close: () => closeSync(file) }
}
