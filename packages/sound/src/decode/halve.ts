import { kaiserTaps, kaiserWindow, sinc } from './low-pass.ts'

/** Low-passes its input and keeps every other sample. Output k is the sound at input sample 2k. */
interface Halver {
  push(samples: Float32Array): Float32Array
  /** Returns the remaining output, with silence behind the last sample. */
  end(): Float32Array
}

/**
 * Leaves frequencies below `kept`, a share of the input's rate, unchanged and free of aliases. As the rate is
 * halved, the filter may be a half-band filter, its own mirror image: every other coefficient is zero, and
 * the rest come in pairs.
 */
export const createHalver = (kept: number): Halver => {
  const side = pairs(kept)
  const reach = 2 * side.length - 1
  /** Input from `reach` samples before the next output on. Silence is before the beginning. */
  let held = new Float32Array(reach)

  const push = (samples: Float32Array): Float32Array => {
    const input = new Float32Array(held.length + samples.length)
    input.set(held)
    input.set(samples, held.length)
    const output = new Float32Array(Math.max(0, Math.ceil((input.length - 2 * reach) / 2)))
    for (let k = 0; k < output.length; k++) {
      const at = reach + 2 * k
      let sum = input[at]! / 2
      for (let i = 0, away = 1; i < side.length; i++, away += 2)
        sum += side[i]! * (input[at - away]! + input[at + away]!)
      output[k] = sum
    }
    held = input.slice(2 * output.length)
    return output
  }

  return { push, end: () => push(new Float32Array(reach)) }
}

/** The coefficients 1, 3, 5 … samples away; that of the middle is a half, and all add up to one. */
const pairs = (kept: number): Float64Array => {
  const count = Math.ceil((kaiserTaps(0.5 - 2 * kept) + 1) / 4)
  const side = Float64Array.from({ length: count }, (_, i) => {
    const away = 2 * i + 1
    return sinc(away / 2) * kaiserWindow(away / (2 * count))
  })
  const sum = side.reduce((a, b) => a + b)
  return side.map((x) => x / sum / 4)
}
