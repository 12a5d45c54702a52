import { kaiserWindow, sinc } from '../decode/low-pass.ts'

/*
 * Band-limited interpolation between samples. Recordings are low-passed below half their rate, so the samples
 * around a position determine the sound there. The same holds for a correlation, which has no higher pitch
 * than its sounds.
 */

/** Samples that the interpolation needs on either side. */
export const around = 16

/**
 * Interpolation coefficients of a sample and its neighbours, for a position `fraction` of a sample behind it:
 * from -0.5 to 0.5.
 */
export const tapsFor = (fraction: number): Float64Array => {
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

/**
 * Interpolates the sound `fraction` of a sample behind each one, from index `around` on. As many samples are
 * needed behind its end.
 */
export const soundBetween = (samples: Int16Array, fraction: number): Float32Array => {
  const taps = tapsFor(fraction)
  return Float32Array.from({ length: samples.length - 2 * around }, (_, i) => weighted(taps, samples, i))
}

/**
 * Interpolates linearly towards the next or the previous value, for values that change slowly. A zero beside
 * counts as no value.
 */
export const valueBetween = (values: Float64Array, index: number, fraction: number): number => {
  const aside = Math.min(1, Math.abs(fraction))
  const value = values[index]!
  return value + aside * ((values[index + Math.sign(fraction)]! || value) - value)
}

/** The greatest absolute value around a sample, and its distance from that sample. */
export interface Crest {
  readonly fraction: number
  readonly amount: number
}

/**
 * Samples searched on either side. In a narrow band as high as the samples hold, the highest wave can lie
 * between two samples that nearly miss it. The samples then show the waves of either polarity beside it,
 * which are nearly as high.
 */
const reach = 3
/**
 * The search takes wide steps first, then narrow ones around the best: a parabola through three of these is
 * exact enough.
 */
const wide = 0.25
const narrow = 1 / 16
const kernels = Array.from({ length: 1 / narrow + 1 }, (_, i) => tapsFor(i * narrow - 0.5))
/**
 * Share of the greatest value at wide steps from which a top is searched closely: the highest wave can look
 * this much lower than it is, and a lower one higher.
 */
const missed = 0.9

/** Finds the crest near a sample. Needs some 20 samples on either side. */
export const crestAt = (values: Float32Array, index: number): Crest => {
  const amountAt = (away: number) => {
    const whole = Math.round(away)
    return Math.abs(weighted(kernels[(away - whole + 0.5) / narrow]!, values, index + whole - around))
  }
  const steps = 2 * (reach / wide)
  const amounts = Float64Array.from({ length: steps + 1 }, (_, i) => amountAt(i * wide - reach))
  const most = amounts.reduce((a, b) => Math.max(a, b))
  let best: Crest = { fraction: 0, amount: 0 }
  for (const [i, amount] of amounts.entries()) {
    const isTop = amount >= (amounts[i - 1] ?? 0) && amount >= (amounts[i + 1] ?? 0)
    if (!isTop || amount < missed * most) continue
    const crest = crestNear(amountAt, i * wide - reach)
    if (crest.amount > best.amount) best = crest
  }
  return best
}

const crestNear = (amountAt: (away: number) => number, place: number): Crest => {
  let top = place
  let most = 0
  for (let away = place - wide; away <= place + wide; away += narrow) {
    const amount = amountAt(away)
    if (amount > most) {
      most = amount
      top = away
    }
  }
  const [before, after] = [amountAt(top - narrow), amountAt(top + narrow)]
  const bend = before - 2 * most + after
  const aside = bend >= 0 ? 0 : Math.max(-1, Math.min(1, (before - after) / (2 * bend)))
  return { fraction: top + aside * narrow, amount: most - ((before - after) * aside) / 4 }
}
