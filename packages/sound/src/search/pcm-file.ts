import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import { trackSamples } from '../decode/tracks.ts'
import type { Pcm } from './finding.ts'
import { rate } from './settings.ts'

/** Random access to samples. Reads block: for threads that have nothing else to do. */
export interface Samples {
  readonly samples: number
  /** Reads samples from `first` on; zeros before the beginning and beyond the end. */
  read(first: number, into: Int16Array): void
}

/** The mix of a recording. */
export interface PcmFile extends Samples {
  /** Reads samples behind the mix, from the `first` of them on: those of tracks. */
  readTracks(first: number, into: Int16Array): void
  close(): void
}

const bytesEach = 2

/** Throws if the file is missing or shorter than the recording states, or if its rate is not `rate`. */
export const openPcm = ({ path, samples, rate: given, differing = [] }: Pcm): PcmFile => {
  if (given !== rate)
    throw new Error(`the recording has ${given} samples a second, wants ${rate}: decode it again`)
  const file = openSync(path, 'r')
  const held = Math.floor(fstatSync(file).size / bytesEach)
  const all = samples + trackSamples(differing)
  if (held < all) {
    closeSync(file)
    throw new Error(`the recording is to have ${all} samples and has ${held}: fetch and decode it again`)
  }

  /** Reads samples from `first` on; zeros from `end` on. */
  const readUntil = (first: number, end: number, into: Int16Array): void => {
    const bytes = Buffer.from(into.buffer, into.byteOffset, into.byteLength)
    const wanted = Math.max(0, Math.min(into.length, end - first)) * bytesEach
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

  const read = (first: number, into: Int16Array): void => {
    const before = Math.min(into.length, Math.max(0, -first))
    into.fill(0, 0, before)
    if (before < into.length) readUntil(first + before, samples, into.subarray(before))
  }

  return {
    samples,
    read,
    readTracks: (first, into) => readUntil(samples + first, all, into),
    close: () => closeSync(file),
  }
}
