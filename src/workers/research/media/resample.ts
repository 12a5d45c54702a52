/*
 * A polyphase windowed sinc: low-pass and change of rate in one pass. Ours, because libraries either take the whole signal
 * at once, or cannot be flushed and say nothing exact about where their output begins. Here output k is the sound at k / rate
 * seconds: the filter is symmetrical and its delay is taken out, positions are integers, and nothing drifts.
 */

/** Passes up to 0.85 of what the lower of both rates can hold; what folds back lies above that, and 60 dB down. */
const stopDecibels = 60
const transition = 0.15
const kaiserBeta = 0.1102 * (stopDecibels - 8.7)

export interface Resampler {
  /** Samples within [-1, 1]; gives what is ready. */
  push(samples: Float32Array): Int16Array
  /** What is still to come, with silence behind the last sample. Nothing can be pushed afterwards. */
  end(): Int16Array
}

/**
 * `begins` is where in the output the first sample lies: a whole number for a stream of one rate; a stretch that follows
 * one of another rate begins between two samples. The output goes on with the first whole number from there.
 */
export const createResampler = (from: number, to: number, begins = 0): Resampler => {
  const divisor = greatestCommonDivisor(from, to)
  const up = to / divisor
  const down = from / divisor
  const { table, taps } = filter(from, to, up)
  const half = taps / 2
  /** Position of the next output in the input, in 1/up of a sample. */
  let position = Math.round((Math.ceil(begins) - begins) * down)
  /** The input that is still needed, from input sample `first`. Silence is before the beginning. */
  let held = new Float32Array(half)
  let first = -half

  const run = (until: number): Int16Array => {
    const count = Math.max(0, Math.ceil((until * up - position) / down))
    const output = new Int16Array(count)
    for (let k = 0; k < count; k++) {
      const whole = Math.floor(position / up)
      let coefficient = (position - whole * up) * taps
      const start = whole - half + 1 - first
      let sum = 0
      for (let i = start; i < start + taps; i++) sum += held[i]! * table[coefficient++]!
      output[k] = toInteger(sum)
      position += down
    }
    const done = Math.min(held.length, Math.max(0, Math.floor(position / up) - half + 1 - first))
    held = held.slice(done)
    first += done
    return output
  }

  const add = (samples: Float32Array) => {
    const joined = new Float32Array(held.length + samples.length)
    joined.set(held)
    joined.set(samples, held.length)
    held = joined
  }

  return {
    push: (samples) => {
      add(samples)
      return run(first + held.length - half)
    },
    end: () => {
      const length = first + held.length
      add(new Float32Array(half))
      return run(length)
    },
  }
}

/** One row of `taps` coefficients for each of the `up` places that an output can have between two inputs. */
const filter = (from: number, to: number, up: number): { table: Float32Array; taps: number } => {
  if (from === to) return { table: new Float32Array([1, 0]), taps: 2 }
  const lower = Math.min(from, to)
  const width = (2 * Math.PI * transition * lower) / from
  const half = Math.ceil((stopDecibels - 8) / (2.285 * width) / 2)
  const taps = half * 2
  const table = new Float32Array(up * taps)
  for (let phase = 0; phase < up; phase++) {
    const row = Array.from({ length: taps }, (_, i) => {
      const x = i - half + 1 - phase / up
      return sinc((x * lower) / from) * kaiser(x / half)
    })
    const sum = row.reduce((a, b) => a + b)
    for (const [i, value] of row.entries()) table[phase * taps + i] = value / sum
  }
  return { table, taps }
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

const kaiser = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x)) / bessel(kaiserBeta)

/** Modified, of the first kind and order zero. */
const bessel = (x: number): number => {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / 2 / k) ** 2
    sum += term
  }
  return sum
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** Not-a-number, which a broken float file can hold, is silence. */
const toInteger = (x: number): number => Math.max(-32768, Math.min(32767, Math.round(x * 32768))) || 0
