import { addUp, type Levels, levelsOf } from './energy.ts'
import type { Fourier } from './fourier.ts'
import type { PcmFile } from './pcm-file.ts'
import { frame, hop, margin } from './settings.ts'

/**
 * A section of the episode with everything that the clips share: samples, energies, spectra. Its buffers are
 * reused for the next. Its samples begin `margin` before it and extend as far as clips that begin in it
 * reach. Zeros stand before and beyond the episode.
 */
export interface Stretch extends Levels {
  /** Hops from the episode's beginning to it (negative before that), and hops in which clips begin. */
  readonly first: number
  readonly hops: number
  /** Address of the spectrum of the frame at hop `index`, counted in the whole episode. */
  spectrum(index: number): number
}

interface StretchOptions {
  /** Hops of a stretch. */
  readonly hops: number
  /** Hops of the longest clip. */
  readonly reach: number
  /** Range of samples at which clips begin. `to` is exclusive. */
  readonly places: readonly [from: number, to: number]
}

/** Yields the episode from its beginning to its end. Memory does not grow with its length. */
export function* stretches(fourier: Fourier, pcm: PcmFile, options: StretchOptions): Generator<Stretch> {
  const { hops, reach, places } = options
  const begin = Math.floor(places[0] / hop)
  const end = Math.ceil(places[1] / hop)
  const samples = new Int16Array((hops + reach) * hop + 2 * margin)
  const levels = levelsOf(samples)
  const kept = hops + reach - 1
  const ring = fourier.spectra(kept)
  const spectrum = (index: number) => ring.at((index - begin) % kept)
  let transformed = begin
  try {
    for (let first = begin; first < end; first += hops) {
      pcm.read(first * hop - margin, samples)
      addUp(levels)
      for (; transformed < first + kept; transformed++) {
        const start = (transformed - first) * hop
        fourier.forward((input) => input.set(samples.subarray(start, start + frame)), spectrum(transformed))
      }
      yield { ...levels, first, hops: Math.min(hops, end - first), spectrum }
    }
  } finally {
    ring.free()
  }
}
