import type { Pcm } from './finding.ts'
import { openPcm, type Samples } from './pcm-file.ts'
import { cell, thresholdFor } from './settings.ts'
import { compare, isUnlikeBetween } from './unlike.ts'
import { type Voice, voicesOf } from './voices.ts'

/**
 * Reads the takes of a clip, which are searched for: its mix, and whatever the mix has not. Only a clip whose channels
 * differ has more than one.
 */
export const takesOf = (recording: Pcm): readonly Int16Array[] => {
  const file = openPcm(recording)
  try {
    const [first, ...others] = voicesOf(recording, file)
    const mix = readAll(first!)
    return [mix, ...others.flatMap((voice) => takeOf(voice, mix))]
  } finally {
    file.close()
  }
}

const takeOf = (voice: Voice, mix: Int16Array): readonly Int16Array[] => {
  const samples = readAll(voice)
  const cells = Math.floor(samples.length / cell)
  const threshold = thresholdFor(samples.length)
  return isUnlikeBetween(compare(samples, mix), voice.kind, [0, cells], threshold) ? [samples] : []
}

const readAll = (file: Samples): Int16Array => {
  const samples = new Int16Array(file.samples)
  file.read(0, samples)
  return samples
}
