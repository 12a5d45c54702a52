/*
 * Radio that never was: speech-like syllables, music, applause, noise and silence, the same for the same seed. Speakers,
 * keys and jingles come back in every programme, so that what is absent from one resembles what is in it.
 */

export const studioRate = 22_050

export type Chance = () => number

/** From 0 to 1. */
export const chance = (seed: number): Chance => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (next: Chance, low: number, high: number): number => low + (high - low) * next()
const pick = <T>(next: Chance, list: readonly T[]): T => list[Math.floor(next() * list.length)]!
const length = (seconds: number): number => Math.round(seconds * studioRate)

/** Two poles: rings at `hertz`. */
const resonator = (hertz: number, width: number) => {
  const r = Math.exp((-Math.PI * width) / studioRate)
  const turn = 2 * r * Math.cos((2 * Math.PI * hertz) / studioRate)
  let one = 0
  let two = 0
  return (x: number): number => {
    const y = (1 - r) * x + turn * one - r * r * two
    two = one
    one = y
    return y
  }
}

const vowels = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
  [490, 1350, 1690],
] as const

export interface Speaker {
  readonly pitch: number
  /** Of the formants: the throat's length. */
  readonly size: number
}

const speakers: readonly Speaker[] = [
  { pitch: 110, size: 1 },
  { pitch: 205, size: 1.17 },
  { pitch: 135, size: 0.95 },
]

/** Pulses of a moving pitch through formants, hisses between, pauses. */
export const speech = (next: Chance, { pitch, size }: Speaker, seconds: number): Float32Array => {
  const sound = new Float32Array(length(seconds))
  let at = 0
  while (at < sound.length) {
    const syllable = length(between(next, 0.1, 0.28))
    const formants = pick(next, vowels).map((hertz, i) =>
      resonator(hertz * size * between(next, 0.94, 1.06), 60 + 40 * i),
    )
    const hertz = pitch * between(next, 0.85, 1.25)
    const glide = between(next, -0.2, 0.2)
    const hiss = next() < 0.4 ? between(next, 0.01, 0.06) : 0
    let phase = 0
    for (let i = 0; i < syllable && at + i < sound.length; i++) {
      const way = i / syllable
      phase += (hertz * (1 + glide * way)) / studioRate
      const pulse = phase >= 1 ? 1 : 0
      phase -= pulse
      const voiced = formants.reduce((sum, formant, k) => sum + formant(pulse) / (k + 1), 0)
      sound[at + i] = 9 * voiced * Math.sin(Math.PI * way) + (way < 0.3 ? hiss * (next() - 0.5) : 0)
    }
    at += syllable + (next() < 0.15 ? length(between(next, 0.1, 0.5)) : 0)
  }
  return sound
}

const scale = [0, 2, 4, 5, 7, 9, 11]

const note = (
  next: Chance,
  into: Float32Array,
  at: number,
  seconds: number,
  hertz: number,
  loud: number,
): void => {
  const overtones = [1, 0.5, 0.3, 0.2, 0.1].map((level) => ({ level, phase: between(next, 0, 2 * Math.PI) }))
  const true_ = hertz * between(next, 0.997, 1.003)
  const end = Math.min(into.length, at + length(seconds))
  for (let i = at; i < end; i++) {
    const t = (i - at) / studioRate
    const envelope = loud * Math.min(1, t * 80) * Math.exp(-2 * t)
    let sum = 0
    for (const [k, { level, phase }] of overtones.entries())
      sum += level * Math.sin(2 * Math.PI * true_ * (k + 1) * t + phase)
    into[i]! += envelope * sum
  }
}

/** Chords and a tune over them, in C. */
export const music = (next: Chance, seconds: number, tempo = between(next, 80, 140)): Float32Array => {
  const sound = new Float32Array(length(seconds))
  const beat = 60 / tempo
  const hertz = (step: number, octave: number) =>
    261.6 * 2 ** (octave + (scale[step % 7]! + 12 * Math.floor(step / 7)) / 12)
  for (let b = 0; b * beat < seconds; b++) {
    const root = pick(next, [0, 3, 4, 5])
    if (b % 4 === 0)
      for (const step of [0, 2, 4])
        note(next, sound, length(b * beat), 4 * beat, hertz(root + step, -1), 0.08)
    note(next, sound, length(b * beat), beat, hertz(Math.floor(next() * 7), 0), 0.12)
  }
  return sound
}

const applause = (next: Chance, seconds: number): Float32Array => {
  const sound = new Float32Array(length(seconds))
  for (let clap = 0; clap < seconds * 60; clap++) {
    const at = Math.floor(next() * sound.length)
    const ring = resonator(between(next, 700, 1800), 400)
    const loud = between(next, 0.5, 2)
    for (let i = 0; i < length(0.03) && at + i < sound.length; i++)
      sound[at + i]! += loud * ring((next() - 0.5) * Math.exp(-i / length(0.006)))
  }
  return sound
}

export const noise = (next: Chance, seconds: number, loud = 0.1): Float32Array => {
  let low = 0
  return Float32Array.from({ length: length(seconds) }, () => {
    low = 0.9 * low + (next() - 0.5)
    return loud * low
  })
}

/** The same in every programme, at a tempo that may not be. */
export const jingle = (tempo: number): Float32Array => music(chance(4711), 4, tempo)

export interface Programme {
  readonly sound: Float32Array
  /** Seconds at which the jingle begins. */
  readonly jingles: readonly number[]
  /** What is like nothing else in it: from, to, in seconds. */
  readonly unique: readonly (readonly [from: number, to: number])[]
}

export const programme = (seed: number, seconds: number, jingleTempo: number): Programme => {
  const next = chance(seed)
  const sound = new Float32Array(length(seconds))
  const jingles: number[] = []
  const unique: (readonly [number, number])[] = []
  const lay = (piece: Float32Array, at: number) => {
    for (let i = 0; i < piece.length && at + i < sound.length; i++) sound[at + i]! += piece[i]!
  }
  for (let at = 0, n = 0; at < sound.length; n++) {
    const from = at / studioRate
    const left = seconds - from
    if (n % 5 === 0 && left > 4) {
      jingles.push(from)
      lay(jingle(jingleTempo), at)
      at += length(4)
      continue
    }
    const own = Math.min(left, between(next, 10, 25))
    const kind = next()
    if (kind < 0.85) lay(speech(next, pick(next, speakers), kind < 0.6 ? own : own / 2), at)
    if (kind > 0.5 && kind < 0.95) lay(music(next, own), at)
    if (kind > 0.8 && kind < 0.9) lay(applause(next, own), at)
    if (kind < 0.3) lay(noise(next, own, 0.01), at)
    if (kind < 0.95) unique.push([from, from + own])
    at += length(own)
  }
  return { sound, jingles, unique }
}
