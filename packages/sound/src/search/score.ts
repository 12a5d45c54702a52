/*
 * The score of a clip at a place: the normalised cross-correlation (Pearson's) of the clip's samples and as
 * many of the episode's. It is 1 if they are the same up to volume. Sound added to the clip lowers it: at a
 * signal-to-noise ratio of 0 dB it is 0.71. Inverted sound scores the same, as broadcast chains invert;
 * silence scores 0.
 */

/** Energy per sample below which sound is silence: it lies below one step of the samples. */
export const minPower = 1

/**
 * Score of equally many samples, from 0 to 1. Sums of integers are exact: they stay below 2^53, as clips have
 * at most 2^23 samples of 16 bits.
 */
export const scoreOf = (clip: Int16Array | Float32Array, window: Int16Array | Float32Array): number => {
  const n = clip.length
  let sumX = 0
  let sumY = 0
  let xx = 0
  let yy = 0
  let xy = 0
  for (let i = 0; i < n; i++) {
    const x = window[i]!
    const y = clip[i]!
    sumX += x
    sumY += y
    xx += x * x
    yy += y * y
    xy += x * y
  }
  const powerX = xx - (sumX * sumX) / n
  const powerY = yy - (sumY * sumY) / n
  if (!(powerX >= minPower * n && powerY >= minPower * n)) return 0
  return Math.min(1, Math.abs(xy - (sumX * sumY) / n) / Math.sqrt(powerX * powerY))
}
