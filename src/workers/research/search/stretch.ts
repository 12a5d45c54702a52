import type { Fourier } from './fourier.ts'
import type { PcmFile } from './pcm-file.ts'
import { cell, hop } from './settings.ts'

/** A piece of the episode with all that the clips share of it: samples, energies, spectra. One moves along. */
export interface Stretch {
  /** Hops from the beginning of the episode to it, and clips' beginnings in it. */
  readonly first: number
  readonly hops: number
  /** From its beginning on, as far as clips that begin in it reach. Zeros beyond the episode. */
  readonly samples: Int16Array
  /** Sum of the samples, and of their squares, before each cell: whole numbers, exact. */
  readonly sums: Float64Array
  readonly squares: Float64Array
  /** Of the two hops from `index` on, counted in the whole episode. */
  spectrum(index: number): number
}

interface StretchOptions {
  /** Hops at a time. */
  readonly hops: number
  /** Hops of the longest clip. */
  readonly reach: number
  /** Clips begin before this sample. */
  readonly end: number
}

/** The episode from its beginning to its end. Memory does not grow with its length. */
export function* stretches(fourier: Fourier, pcm: PcmFile, options: StretchOptions): Generator<Stretch> {
  const { hops, reach, end } = options
  const samples = new Int16Array((hops + reach) * hop)
  const sums = new Float64Array(samples.length / cell + 1)
  const squares = new Float64Array(sums.length)
  const kept = hops + reach - 1
  const ring = fourier.spectra(kept)
  const spectrum = (index: number) => ring.at(index % kept)
  let transformed = 0
  try {
    for (let first = 0; first * hop < end; first += hops) {
      pcm.read(first * hop, samples)
      addUp(samples, sums, squares)
      for (; transformed < first + kept; transformed++) {
        const start = (transformed - first) * hop
        fourier.forward((input) => input.set(samples.subarray(start, start + 2 * hop)), spectrum(transformed))
      }
      yield { first, hops: Math.min(hops, Math.ceil(end / hop) - first), samples, sums, squares, spectrum }
    }
  } finally {
    ring.free()
  }
}

const addUp = (samples: Int16Array, sums: Float64Array, squares: Float64Array): void => {
  let sum = 0
  let square = 0
  for (let c = 0; c < sums.length - 1; c++) {
    let cellSum = 0
    let cellSquare = 0
    for (let i = c * cell; i < (c + 1) * cell; i++) {
      const sample = samples[i]!
      cellSum += sample
      cellSquare += sample * sample
    }
    sum += cellSum
    square += cellSquare
    sums[c + 1] = sum
    squares[c + 1] = square
  }
}
