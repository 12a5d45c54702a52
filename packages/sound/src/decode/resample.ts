import { createHalver } from './halve.ts'
import { kaiserTaps, kaiserWindow, sinc } from './low-pass.ts'

/*
 * A polyphase windowed sinc, after as many halvings of the rate as possible, which cost little. Ours, because
 * libraries either take the whole signal at once, or cannot be flushed and do not state exactly where their
 * output begins. Here output k is the sound at k / rate seconds: the filters are symmetrical and their delay
 * is removed, positions are integers, and nothing drifts.
 */

/**
 * Transition band, as a share of the lower rate: the filter passes up to three quarters of what that rate can
 * hold, and is 60 dB down at all of it. So nothing aliases, and samples of one sound at two phases are
 * equivalent: either determines the sound between samples.
 */
const transition = 0.125
/** The rate is halved while at least this multiple of the wanted rate is left: the filters are short then. */
const headroom = 1.25

/** Positions of an output between two inputs: making the filter of a rate costs as much. */
export const phasesOf = (from: number, to: number): number => {
  const last = from / 2 ** halvingsOf(from, to)
  return to / greatestCommonDivisor(last, to)
}

/** Changes the rate of a signal that is pushed in pieces. */
export interface Resampler {
  /** Takes samples within [-1, 1]. Returns the output that is ready. */
  push(samples: Float32Array): Int16Array<ArrayBuffer>
  /** Returns the remaining output, with silence behind the last sample. Nothing can be pushed afterwards. */
  end(): Int16Array<ArrayBuffer>
}

/**
 * Converts one rate to another, both whole numbers of Hz. `begins` is the position of the first sample in the
 * output: a whole number for a stream of one rate. A stretch that follows one of another rate begins between
 * two samples. The output continues at the first whole number from there.
 */
export const createResampler = (from: number, to: number, begins = 0): Resampler => {
  const halvings = halvingsOf(from, to)
  const factor = 2 ** halvings
  const halvers = Array.from({ length: halvings }, (_, i) => createHalver((to / 2 / from) * 2 ** i))
  const last = createPolyphase(from / factor, to, begins)
  let pushed = 0
  return {
    push: (samples) => {
      pushed += samples.length
      return last.push(halvers.reduce((sound, halver) => halver.push(sound), samples))
    },
    end: () => {
      const rest = halvers.reduce(
        (sound, halver) => joined(halver.push(sound), halver.end()),
        new Float32Array(),
      )
      return last.end(rest, pushed / factor)
    },
  }
}

const halvingsOf = (from: number, to: number): number => {
  let halvings = 0
  for (let rate = from; rate % 2 === 0 && rate / 2 >= headroom * to; rate /= 2) halvings++
  return halvings
}

const createPolyphase = (from: number, to: number, begins: number) => {
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

  const run = (until: number): Int16Array<ArrayBuffer> => {
    const count = Math.max(0, Math.ceil((until * up - position) / down))
    const output = new Int16Array(count)
    const input = held
    for (let k = 0; k < count; k++) {
      const whole = Math.floor(position / up)
      // Positions can exceed 32 bits, indices cannot. `| 0` states that, which is three times as fast.
      const row = ((position - whole * up) * taps) | 0
      const start = (whole - half + 1 - first) | 0
      // Two sums, so that one addition need not wait for the other; there is an even number of taps.
      let even = 0
      let odd = 0
      for (let i = 0; i < taps; i += 2) {
        even += input[start + i]! * table[row + i]!
        odd += input[start + i + 1]! * table[row + i + 1]!
      }
      output[k] = toInteger(even + odd)
      position += down
    }
    const done = Math.min(held.length, Math.max(0, Math.floor(position / up) - half + 1 - first))
    held = held.slice(done)
    first += done
    return output
  }

  return {
    push: (samples: Float32Array) => {
      held = joined(held, samples)
      return run(first + held.length - half)
    },
    /** `length` is that of all input pushed; the halvings may have rounded it up. */
    end: (samples: Float32Array, length: number) => {
      held = joined(joined(held, samples), new Float32Array(half))
      return run(length)
    },
  }
}

const joined = (a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> => {
  const both = new Float32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** One row of `taps` coefficients for each of the `up` positions of an output between two inputs. */
const filter = (from: number, to: number, up: number): { table: Float32Array; taps: number } => {
  if (from === to) return { table: new Float32Array([1, 0]), taps: 2 }
  const lower = Math.min(from, to)
  const half = Math.ceil(kaiserTaps((transition * lower) / from) / 2)
  const taps = half * 2
  const table = new Float32Array(up * taps)
  for (let phase = 0; phase < up; phase++) {
    const row = Array.from({ length: taps }, (_, i) => {
      const x = i - half + 1 - phase / up
      return sinc((x * lower * (1 - transition)) / from) * kaiserWindow(x / half)
    })
    const sum = row.reduce((a, b) => a + b)
    for (const [i, value] of row.entries()) table[phase * taps + i] = value / sum
  }
  return { table, taps }
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

/** Converts a sample to 16 bits. NaN, which a broken float file can hold, becomes silence. */
const toInteger = (x: number): number => Math.max(-32768, Math.min(32767, Math.round(x * 32768))) || 0
