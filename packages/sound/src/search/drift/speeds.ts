import { percentOf, rate } from '../settings.ts'

/*
 * A tape that runs fast or slow, or two clocks that differ, change the speed of a clip: 1.01 is one per cent
 * fast, and the clip ends sooner. It slips against the original over its length, so it must be searched for
 * at each speed separately.
 */

/**
 * Samples of an excerpt: one second. Excerpts are searched for at all speeds, not the whole clip: a longer
 * sound distinguishes more speeds.
 */
export const excerptSamples = rate

/** Slips in samples: of the highest possible pitch, and of the lowest that counts. */
const slips = { least: 2, most: 8 }

/**
 * Samples by which an excerpt at one speed slips, over its length, against the excerpt at the next speed.
 * Against the episode it slips by half of that at worst, and still scores 0.7 of its score at its own speed.
 * Sound of low pitch may slip further. The mean of its frequencies (as squares) decides, computed from the
 * differences of its samples.
 */
export const slipOf = (excerpt: Int16Array): number => {
  let squares = 0
  let differences = 0
  for (let i = 1; i < excerpt.length; i++) {
    squares += excerpt[i]! ** 2
    differences += (excerpt[i]! - excerpt[i - 1]!) ** 2
  }
  const frequency = 2 * Math.asin(Math.min(1, Math.sqrt(differences / squares) / 2))
  // Over a slip of x in all a wave of frequency w (radians a sample) keeps sin(wx/2) / (wx/2), about 1 - (wx)² / 24.
  const slip = (2 * Math.sqrt(24 * 0.3)) / frequency
  return Math.max(slips.least, Math.min(slips.most, slip))
}

/**
 * Speeds at which to search for an excerpt of `samples` samples: up to `drift` off either way, slowest first.
 */
export const speedsOf = (samples: number, slip: number, drift: number): readonly number[] => {
  const step = slip / samples
  const aside = Math.max(0, Math.ceil(drift / step - 0.5))
  return Array.from({ length: 2 * aside + 1 }, (_, i) => 1 + (i - aside) * step)
}

/** Number of searches, at most, that replace one for a clip of `samples` samples. */
export const searchesFor = (samples: number, drift: number, slip = slips.least): number => {
  if (drift === 0 || samples === 0) return 1
  const excerpts = samples > excerptSamples ? 2 : 1
  return 1 + excerpts * speedsOf(Math.min(samples, excerptSamples), slip, drift).length
}

/** Cost of `drift` as a sentence for people: 0.01 is clips up to one per cent faster or slower. */
export const driftCost = (drift: number): string => {
  const [least, most] = [slips.most, slips.least].map((slip) => searchesFor(2 * excerptSamples, drift, slip))
  return `clips are looked for at speeds up to ${percentOf(drift)} % off: one of 2 s and more costs ${least} searches in place of one, up to ${most} where it is of high pitch`
}
