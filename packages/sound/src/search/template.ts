import type { Fourier } from './fourier.ts'
import { hop, ringing, silence } from './settings.ts'

/**
 * What is searched for of a clip: its sound, without the digital silence before and after, and without what lies next to
 * that: there a cut rings, as it does not where the sound goes on.
 */
export interface Sound {
  readonly samples: Int16Array
  /** Samples of the clip before it. */
  readonly lead: number
}

/** No samples where all is silence. */
export const trim = (samples: Int16Array): Sound => {
  const sounds = (sample: number) => Math.abs(sample) > silence
  const first = samples.findIndex(sounds)
  if (first < 0) return { samples: samples.subarray(0, 0), lead: samples.length }
  const end = samples.findLastIndex(sounds) + 1
  const lead = first + ringing
  return { samples: samples.subarray(lead, Math.max(lead, end - ringing)), lead }
}

/** A sound made ready: of mean zero and norm one, cut into parts of `hop` samples, each transformed. */
export interface Template {
  readonly length: number
  /** Of the sound before. */
  readonly mean: number
  readonly norm: number
  readonly parts: number
  part(i: number): number
  free(): void
}

/** The sound must not be constant. */
export const template = (fourier: Fourier, samples: Int16Array): Template => {
  const { mean, norm } = meanAndNorm(samples)
  const parts = Math.ceil(samples.length / hop)
  const spectra = fourier.spectra(parts)
  for (let part = 0; part < parts; part++) {
    const first = part * hop
    const end = Math.min(first + hop, samples.length)
    // Backwards in time, so that the convolution is a correlation.
    const fill = (input: Float32Array) => {
      input.fill(0)
      for (let i = first; i < end; i++)
        input[(fourier.size - (i - first)) % fourier.size] = (samples[i]! - mean) / norm
    }
    fourier.forward(fill, spectra.at(part))
  }
  return { length: samples.length, mean, norm, parts, part: spectra.at, free: spectra.free }
}

/** Norm: of what is left when the mean is taken off. */
export const meanAndNorm = (samples: Int16Array): { mean: number; norm: number } => {
  let sum = 0
  let squares = 0
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!
    sum += sample
    squares += sample * sample
  }
  const mean = samples.length === 0 ? 0 : sum / samples.length
  return { mean, norm: Math.sqrt(Math.max(0, squares - sum * mean)) }
}
