import { around, tapsFor } from '../between.ts'

/**
 * Positions between two samples that have coefficients of their own. Sound between two such positions is 50
 * dB off at most.
 */
const places = 512
const taps = 2 * around + 1

const makeTable = (): Float32Array => {
  const table = new Float32Array((places + 1) * taps)
  for (let i = 0; i <= places; i++) table.set(tapsFor(i / places - 0.5), i * taps)
  return table
}
let table: Float32Array | undefined

/**
 * Plays `count` samples of a sound at a speed: the k-th is the sound at `first + k * speed`. Silence is
 * before and behind it.
 */
export const atSpeed = (sound: Int16Array, first: number, count: number, speed: number): Float32Array => {
  table ??= makeTable()
  const coefficients = table
  const output = new Float32Array(count)
  for (let k = 0; k < count; k++) {
    const position = first + k * speed
    const nearest = Math.round(position)
    const row = Math.round((position - nearest + 0.5) * places) * taps
    const start = nearest - around
    const from = start < 0 ? -start : 0
    const to = start + taps > sound.length ? sound.length - start : taps
    // Two sums, so that one addition need not wait for the other.
    let even = 0
    let odd = 0
    let i = from
    for (; i < to - 1; i += 2) {
      even += coefficients[row + i]! * sound[start + i]!
      odd += coefficients[row + i + 1]! * sound[start + i + 1]!
    }
    if (i < to) even += coefficients[row + i]! * sound[start + i]!
    output[k] = even + odd
  }
  return output
}

/** As `atSpeed`, for one sound. */
export type Player = (first: number, count: number, speed: number) => Float32Array

/** Results that are kept, of a second each: 13 MB. All are dropped when there are as many. */
const kept = 400

/** A player that caches its results: an excerpt is compared at the same speeds in many places. */
export const rememberingPlayer = (sound: Int16Array): Player => {
  const played = new Map<string, Float32Array>()
  return (first, count, speed) => {
    const key = `${first} ${count} ${speed}`
    const known = played.get(key)
    if (known) return known
    if (played.size >= kept) played.clear()
    const made = atSpeed(sound, first, count, speed)
    played.set(key, made)
    return made
  }
}
