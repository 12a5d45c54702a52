import { kaiserWindow, sinc } from '../media/low-pass.ts'

/*
 * What lies between samples. Recordings are low-passed below half their rate, so that the samples around a place say what
 * is there; so do those of a correlation, which has no higher pitch than its sounds.
 */

/** Samples that are needed on either side. */
export const around = 16

/** Coefficients of the samples around one, for what lies so much of a sample behind it: from -0.5 to 0.5. */
const tapsFor = (fraction: number): Float64Array => {
  const taps = Float64Array.from({ length: 2 * around + 1 }, (_, i) => {
    const away = i - around - fraction
    return sinc(away) * kaiserWindow(away / (around + 1))
  })
  const sum = taps.reduce((a, b) => a + b)
  return taps.map((tap) => tap / sum)
}

const weighted = (taps: Float64Array, values: Float32Array | Int16Array, first: number): number => {
  let sum = 0
  for (let i = 0; i < taps.length; i++) sum += taps[i]! * values[first + i]!
  return sum
}

/** The sound that begins so much of a sample behind the one at `around`; as many samples are needed behind its end. */
export const soundBetween = (samples: Int16Array, fraction: number): Float32Array => {
  const taps = tapsFor(fraction)
  return Float32Array.from({ length: samples.length - 2 * around }, (_, i) => weighted(taps, samples, i))
}

/** On the line from one value to the next, or to the one before: for what changes slowly. Zero beside it is no value. */
export const valueBetween = (values: Float64Array, index: number, fraction: number): number => {
  const aside = Math.min(1, Math.abs(fraction))
  const value = values[index]!
  return value + aside * ((values[index + Math.sign(fraction)]! || value) - value)
}

/** The greatest amount about a sample, and how far from it. */
export interface Crest {
  readonly fraction: number
  readonly amount: number
}

/** Samples: of what is as high as the samples hold, the next wave of either polarity is nearer than that. */
const reach = 1.5
/** First at steps so wide, then about the best at narrow ones: a parabola through three of these is exact enough. */
const wide = 0.25
const narrow = 1 / 16
const kernels = Array.from({ length: 1 / narrow + 1 }, (_, i) => tapsFor(i * narrow - 0.5))

/** Some 20 samples are needed on either side. */
export const crestAt = (values: Float32Array, index: number): Crest => {
  const amountAt = (away: number) => {
    const whole = Math.round(away)
    return Math.abs(weighted(kernels[(away - whole + 0.5) / narrow]!, values, index + whole - around))
  }
  const wideTop = topOf(amountAt, 0, reach, wide)
  const top = topOf(amountAt, wideTop, wide, narrow)
  const [before, most, after] = [amountAt(top - narrow), amountAt(top), amountAt(top + narrow)]
  const bend = before - 2 * most + after
  const aside = bend >= 0 ? 0 : Math.max(-1, Math.min(1, (before - after) / (2 * bend)))
  return { fraction: top + aside * narrow, amount: most - ((before - after) * aside) / 4 }
}

/** Where the amount is greatest, of the places so far apart up to `reach` about the middle. */
const topOf = (amountAt: (away: number) => number, middle: number, reach: number, step: number): number => {
  let top = middle
  let most = 0
  for (let away = middle - reach; away <= middle + reach; away += step) {
    const amount = amountAt(away)
    if (amount > most) {
      most = amount
      top = away
    }
  }
  return top
}
