import { percentOf, rate } from '../settings.ts'

/*
 * A tape that runs fast or slow, or two clocks that differ, play a clip at a speed of their own: 1.01 is one per cent fast, and
 * the clip is over sooner. Over its length it slips away from itself, so that it must be looked for at each speed apart.
 */

/**
 * A second of a clip is looked for at all speeds, not the whole: the longer, the more speeds there are to tell apart. In
 * samples.
 */
export const excerptSamples = rate

/** Of the highest pitch that there is, and of the lowest that counts. */
const slips = { least: 2, most: 8 }

/**
 * Samples by which an excerpt of one speed slips, from its beginning to its end, against that of the next. Half of it is what
 * it slips at worst against the episode: it still scores 0.7 of what it does at its own speed. Sound of low pitch may slip
 * further, by the mean of its frequencies (as squares), which its differences tell.
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

/** Of an excerpt of so many samples: up to so much off, either way, the slowest first. */
export const speedsOf = (samples: number, slip: number, drift: number): readonly number[] => {
  const step = slip / samples
  const aside = Math.max(0, Math.ceil(drift / step - 0.5))
  return Array.from({ length: 2 * aside + 1 }, (_, i) => 1 + (i - aside) * step)
}

/** What it costs at most: so many searches for a clip of so many samples in place of one. */
export const searchesFor = (samples: number, drift: number, slip = slips.least): number => {
  if (drift === 0 || samples === 0) return 1
  const excerpts = samples > excerptSamples ? 2 : 1
  return 1 + excerpts * speedsOf(Math.min(samples, excerptSamples), slip, drift).length
}

/** What `drift` costs, as a sentence for people: 0.01 is clips up to one per cent faster or slower. */
export const driftCost = (drift: number): string => {
  const [least, most] = [slips.most, slips.least].map((slip) => searchesFor(2 * excerptSamples, drift, slip))
  return `clips are looked for at speeds up to ${percentOf(drift)} % off: one of 2 s and more costs ${least} searches in place of one, up to ${most} where it is of high pitch`
}
