import type { Fourier } from './fourier.ts'
import { hop, ringing, silence } from './settings.ts'

/**
 * The sound of a clip that is searched for, without the digital silence before and after it, and without the
 * samples next to that silence: there a cut rings, unlike in sound that goes on.
 */
export interface Sound {
  readonly samples: Int16Array
  /** Samples of the clip before it. */
  readonly lead: number
}

/** Trims a clip to its sound. Returns no samples if all is silence. */
export const trim = (samples: Int16Array): Sound => {
  const sounds = (sample: number) => Math.abs(sample) > silence
  const first = samples.findIndex(sounds)
  if (first < 0) return { samples: samples.subarray(0, 0), lead: samples.length }
  const end = samples.findLastIndex(sounds) + 1
  const lead = first + ringing
  return { samples: samples.subarray(lead, Math.max(lead, end - ringing)), lead }
}

/** A sound normalised to mean zero and norm one, cut into parts of `hop` samples, each transformed. */
export interface Template {
  readonly length: number
  /** Mean and norm of the sound before it was normalised. */
  readonly mean: number
  readonly norm: number
  readonly parts: number
  part(i: number): number
  free(): void
}

/** Prepares a sound, which must not be constant. */
export const template = (fourier: Fourier, samples: Int16Array): Template => {
  const { mean, norm } = meanAndNorm(samples)
  const parts = Math.ceil(samples.length / hop)
  const spectra = fourier.spectra(parts)
  for (let part = 0; part < parts; part++) {
    const first = part * hop
    const end = Math.min(first + hop, samples.length)
    // Reversed in time, so that the convolution is a correlation.
    const fill = (input: Float32Array) => {
      input.fill(0)
      for (let i = first; i < end; i++)
        input[(fourier.size - (i - first)) % fourier.size] = (samples[i]! - mean) / norm
    }
    fourier.forward(fill, spectra.at(part))
  }
  return { length: samples.length, mean, norm, parts, part: spectra.at, free: spectra.free }
}

/** The norm is that of the samples less their mean. */
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
