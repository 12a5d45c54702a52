import { addUp, type Levels, levelsOf } from './energy.ts'
import type { Fourier } from './fourier.ts'
import type { Samples } from './pcm-file.ts'
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
  /** Returns false for a range of samples that is passed over. Default: none is. */
  readonly isWanted?: (from: number, to: number) => boolean
}

/** Yields the episode from its beginning to its end. Memory does not grow with its length. */
export function* stretches(fourier: Fourier, pcm: Samples, options: StretchOptions): Generator<Stretch> {
  const { hops, reach, places, isWanted = () => true } = options
  const begin = Math.floor(places[0] / hop)
  const end = Math.ceil(places[1] / hop)
  const samples = new Int16Array((hops + reach) * hop + 2 * margin)
  const levels = levelsOf(samples)
  const kept = hops + reach - 1
  const ring = fourier.spectra(kept)
  /** The frame whose spectrum is in each place of the ring. */
  const held = new Array<number>(kept)
  let first = begin
  const spectrum = (index: number) => {
    const place = (index - begin) % kept
    if (held[place] !== index) {
      const start = (index - first) * hop
      fourier.forward((input) => input.set(samples.subarray(start, start + frame)), ring.at(place))
      held[place] = index
    }
    return ring.at(place)
  }
  try {
    for (; first < end; first += hops) {
      const from = first * hop - margin
      if (!isWanted(from, from + samples.length)) continue
      pcm.read(from, samples)
      addUp(levels)
      yield { ...levels, first, hops: Math.min(hops, end - first), spectrum }
    }
  } finally {
    ring.free()
  }
}
