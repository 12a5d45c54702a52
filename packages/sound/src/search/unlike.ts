import { cell, hop, margin } from './settings.ts'
import type { VoiceKind } from './voices.ts'

/** Sums of samples before each cell: of a voice, of the mix, of their squares and of their products. */
export interface Comparison {
  readonly voice: Float64Array
  readonly mix: Float64Array
  readonly voiceSquares: Float64Array
  readonly mixSquares: Float64Array
  readonly products: Float64Array
}

/** Compares equally many samples. */
export const compare = (voice: Int16Array, mix: Int16Array): Comparison => {
  const cells = Math.floor(voice.length / cell)
  const sums = (): Float64Array => new Float64Array(cells + 1)
  const all = { voice: sums(), mix: sums(), voiceSquares: sums(), mixSquares: sums(), products: sums() }
  let [v, m, vv, mm, vm] = [0, 0, 0, 0, 0]
  for (let c = 0; c < cells; c++) {
    for (let i = c * cell; i < (c + 1) * cell; i++) {
      const x = voice[i]!
      const y = mix[i]!
      v += x
      m += y
      vv += x * x
      mm += y * y
      vm += x * y
    }
    all.voice[c + 1] = v
    all.mix[c + 1] = m
    all.voiceSquares[c + 1] = vv
    all.mixSquares[c + 1] = mm
    all.products[c + 1] = vm
  }
  return all
}

/** Mean energy of a sample up to which a voice is silent: two steps. */
const silentEnergy = 4
/** The difference of two channels is searched where it has this multiple of the mix's energy: one is upside down. */
const inverted = 2
/**
 * Copies of a clip are found, whatever the voice, if they score this share of the way from the threshold to
 * one: a voice whose correlation with the mix leaves them above the threshold is not searched.
 */
const sure = 0.25

/**
 * Returns true if a voice may have a clip of `length` samples that begins in the hop `h`, and that is not
 * found in the mix, nor in the difference of channels where that is searched.
 */
export const isUnlike = (
  all: Comparison,
  kind: VoiceKind,
  h: number,
  { length, threshold }: { readonly length: number; readonly threshold: number },
): boolean => {
  const first = (margin + h * hop) / cell
  for (let c = first; c < first + hop / cell; c++)
    if (isUnlikeBetween(all, kind, [c, c + Math.ceil(length / cell)], threshold)) return true
  return false
}

/** As `isUnlike`, for the samples of some cells. */
export const isUnlikeBetween = (
  { voice, mix, voiceSquares, mixSquares, products }: Comparison,
  kind: VoiceKind,
  [from, to]: readonly [from: number, to: number],
  threshold: number,
): boolean => {
  const count = (to - from) * cell
  const v = voice[to]! - voice[from]!
  const m = mix[to]! - mix[from]!
  const vv = voiceSquares[to]! - voiceSquares[from]! - (v * v) / count
  if (vv <= silentEnergy * count) return false
  const mm = mixSquares[to]! - mixSquares[from]! - (m * m) / count
  if (kind === 'difference of two') return vv > inverted * mm
  const vm = products[to]! - products[from]! - (v * m) / count
  const alike = (threshold / (threshold + sure * (1 - threshold))) ** 2
  // Nothing is like silence.
  if (vm * vm > alike * vv * mm) return false
  if (kind === 'channel of many') return true
  // The channel less the mix is the difference, or that upside down.
  const dd = vv - 2 * vm + mm
  return dd <= inverted * mm || (vv - vm) ** 2 < alike * vv * dd
}
