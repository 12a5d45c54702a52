/*
 * A peer: clips found in two passes over raw samples, as known systems do. The loudest eighth of a second of the clip is
 * slid along the episode; where its first 50 samples have a cosine of 0.6, 500 are compared.
 */

export const twoPassRate = 22_050
const anchorLength = 2756
const coarse = { length: 50, least: 0.6 }
const fine = { length: 500, least: 0.9 }

/** Samples at which the clip may begin. */
export const twoPass = (episode: Float32Array, clip: Float32Array): number[] => {
  const anchor = loudest(clip)
  const short = normOf(clip, anchor, coarse.length)
  const long = normOf(clip, anchor, fine.length)
  const places: number[] = []
  for (let at = 0; at + fine.length <= episode.length; at++)
    if (
      cosine(episode, at, clip, anchor, coarse.length, short) >= coarse.least &&
      cosine(episode, at, clip, anchor, fine.length, long) >= fine.least
    )
      places.push(at - anchor)
  return places
}

const normOf = (samples: Float32Array, from: number, length: number): number => {
  let squares = 0
  for (let i = from; i < from + length; i++) squares += samples[i]! * samples[i]!
  return Math.sqrt(squares)
}

const loudest = (clip: Float32Array): number => {
  let best = 0
  let most = -1
  for (let at = 0; at + anchorLength <= clip.length; at += 50) {
    const norm = normOf(clip, at, anchorLength)
    if (norm > most) [best, most] = [at, norm]
  }
  return best
}

const cosine = (
  episode: Float32Array,
  at: number,
  clip: Float32Array,
  anchor: number,
  length: number,
  norm: number,
): number => {
  let product = 0
  let squares = 0
  for (let i = 0; i < length; i++) {
    const x = episode[at + i]!
    product += x * clip[anchor + i]!
    squares += x * x
  }
  return squares === 0 ? 0 : product / (Math.sqrt(squares) * norm)
}
