import { readFileSync } from 'node:fs'
import { wav } from '../../../packages/sound/test/decode/tones.ts'

export { chance } from '../../../packages/sound/test/search/sounds.ts'

export type Sound = Float32Array

export const studioRate = 44_100

export const wavOf = (channels: readonly Sound[]): Buffer => wav(studioRate, channels)

/** Reads a WAV of one channel and 16 bits, as espeak-ng and sox write it. */
export const soundOf = (path: string): Sound => {
  const file = readFileSync(path)
  const at = file.indexOf('data') + 8
  return Float32Array.from(
    { length: Math.floor((file.length - at) / 2) },
    (_, i) => file.readInt16LE(at + 2 * i) / 32_768,
  )
}

export const joined = (...pieces: readonly Sound[]): Sound => {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
