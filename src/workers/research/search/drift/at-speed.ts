import { around, tapsFor } from '../between.ts'

/** Places between two samples of which each has its coefficients: what lies between two such places is 50 dB off at most. */
const places = 512
const taps = 2 * around + 1

const makeTable = (): Float32Array => {
  const table = new Float32Array((places + 1) * taps)
  for (let i = 0; i <= places; i++) table.set(tapsFor(i / places - 0.5), i * taps)
  return table
}
let table: Float32Array | undefined

/** So much of a sound at a speed: the k-th sample is what lies at `first + k * speed`. Silence is before and behind it. */
export const atSpeed = (sound: Int16Array, first: number, count: number, speed: number): Float32Array => {
  table ??= makeTable()
  const coefficients = table
  const output = new Float32Array(count)
  for (let k = 0; k < count; k++) {
    const position = first + k * speed
    const nearest = Math.round(position)
    const row = Math.round((position - nearest + 0.5) * places) * taps
    const start = nearest - around
    const from = Math.max(0, -start)
    const to = Math.min(taps, sound.length - start)
    let sum = 0
    for (let i = from; i < to; i++) sum += coefficients[row + i]! * sound[start + i]!
    output[k] = sum
  }
  return output
}
