import { chance } from './sounds.ts'

/* Sounds of the highest pitches, at a studio's rate: there a copy half a sample off looks least like itself. */

export const studioRate = 44_100

/** So many seconds, the same for the same seed. */
type Texture = (seconds: number, seed: number) => Float32Array

const drawn = (seconds: number, seed: number): Float32Array => {
  const next = chance(seed)
  return Float32Array.from({ length: Math.round(seconds * studioRate) }, () => next() - 0.5)
}

/** What lies above about 3 kHz, which is where recordings end. */
const hiss: Texture = (seconds, seed) => {
  const decay = Math.exp((-2 * Math.PI * 3000) / studioRate)
  let sound = drawn(seconds, seed)
  for (let round = 0; round < 4; round++) {
    let before = 0
    let last = 0
    sound = sound.map((sample) => {
      last = decay * (last + sample - before)
      before = sample
      return last
    })
  }
  return sound
}

/** What lies between 2.8 kHz and the end of recordings, and nothing below: half a wave on, either way, it is nearly itself. */
const narrowHiss: Texture = (seconds, seed) => {
  const half = 100
  const cutOff = 2800 / studioRate
  const low = Array.from({ length: 2 * half + 1 }, (_, i) => {
    const away = i - half
    const sinc = away === 0 ? 2 * cutOff : Math.sin(2 * Math.PI * cutOff * away) / (Math.PI * away)
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * away) / half))
  })
  const whole = low.reduce((sum, tap) => sum + tap)
  const taps = low.map((tap, i) => (i === half ? 1 : 0) - tap / whole)
  const source = drawn(seconds + (2 * half) / studioRate, seed)
  return Float32Array.from({ length: source.length - 2 * half }, (_, i) =>
    taps.reduce((sum, tap, k) => sum + tap * source[i + k]!, 0),
  )
}

/** Thousands of claps, none like the other. */
const applause: Texture = (seconds, seed) => {
  const next = chance(seed)
  const sound = new Float32Array(Math.round(seconds * studioRate))
  for (let clap = 0; clap < sound.length / 300; clap++) {
    const at = Math.floor(next() * sound.length)
    const loud = next()
    for (let i = 0; i < 600 && at + i < sound.length; i++)
      sound[at + i]! += 0.3 * loud * (next() - 0.5) * Math.exp(-i / 80)
  }
  return sound
}

/** Strings, each plucked once and left to ring (Karplus and Strong's): one wave is nearly the next. */
const plucks: Texture = (seconds, seed) => {
  const next = chance(seed)
  const sound = new Float32Array(Math.round(seconds * studioRate))
  for (let start = 0; start < sound.length; start += Math.round(0.31 * studioRate)) {
    const wave = Float32Array.from({ length: 90 + Math.floor(next() * 120) }, () => 0.8 * (next() - 0.5))
    for (let i = 0; start + i < sound.length; i++) {
      const at = i % wave.length
      sound[start + i]! += wave[at]!
      wave[at] = 0.498 * (wave[at]! + wave[(at + 1) % wave.length]!)
    }
  }
  return sound
}

export const textures: Readonly<Record<string, Texture>> = {
  'white noise': drawn,
  hiss,
  'narrow hiss': narrowHiss,
  applause,
  plucks,
}

/** As a machine plays it that runs so much too fast: by an interpolation that shares nothing with that of the search. */
export const played = (sound: Float32Array, speed: number): Float32Array => {
  const reach = 24
  return Float32Array.from({ length: Math.floor(sound.length / speed) }, (_, i) => {
    const place = i * speed
    const first = Math.floor(place) - reach + 1
    let sum = 0
    for (let k = Math.max(0, first); k < Math.min(sound.length, first + 2 * reach); k++) {
      const away = place - k
      const sinc = away === 0 ? 1 : Math.sin(Math.PI * away) / (Math.PI * away)
      sum += sound[k]! * sinc * Math.cos((Math.PI * away) / (2 * reach)) ** 2
    }
    return sum
  })
}
