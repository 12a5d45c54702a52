import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pcm } from '../../src/search/finding.ts'
import { rate } from '../../src/search/settings.ts'

/** From 0 to 1, the same for the same seed. */
export const chance = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Noise without hiss, of changing loudness: like nothing else, as speech is. */
export const babble = (seconds: number, seed: number, volume = 6000): Int16Array => {
  const next = chance(seed)
  let level = 0
  let loudness = 1
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    if (i % 1600 === 0) loudness = 0.2 + next()
    level = 0.8 * level + next() - 0.5
    return level * loudness * volume
  })
}

export const tone = (seconds: number, hertz: number, volume = 8000): Int16Array =>
  Int16Array.from({ length: Math.round(seconds * rate) }, (_, i) =>
    Math.round(volume * Math.sin((2 * Math.PI * hertz * i) / rate)),
  )

export const silent = (seconds: number): Int16Array => new Int16Array(Math.round(seconds * rate))

export const joined = (...pieces: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export const louder = (sound: Int16Array, factor: number): Int16Array =>
  sound.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))))

export const over = (a: Int16Array, b: Int16Array): Int16Array =>
  a.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + (b[i] ?? 0))))

export const nanos = (seconds: number): number => Math.round(seconds * 1_000_000_000)

/** A recording of given samples, in a folder. */
export const record = async (folder: string, name: string, samples: Int16Array): Promise<Pcm> => {
  const path = join(folder, `${name}.pcm`)
  await writeFile(path, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  return recordingAt(path, samples.length)
}

export const recordingAt = (path: string, samples: number): Pcm => ({ path, rate, samples })
