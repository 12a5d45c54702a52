import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tones } from './corpus-sounds.ts'
import { chance, joined, type Sound, studioRate, wavOf } from './sounds.ts'

/*
 * Programmes with clips in them, the same for the same seed: speech of espeak-ng, plucked strings and chimes of sox, applause, a
 * jingle whose second half repeats its first; by several codecs, at several volumes, under noise, on channels of all sorts.
 */

export interface Programme {
  readonly id: string
  readonly path: string
  /** Clips, and the seconds at which they begin. */
  readonly truth: readonly { readonly clip: string; readonly at: number }[]
}

export interface Corpus {
  readonly clips: readonly { readonly id: string; readonly path: string }[]
  readonly programmes: readonly Programme[]
}

export type Programs = Readonly<Record<'espeak-ng' | 'sox' | 'lame' | 'flac' | 'oggenc' | 'opusenc', string>>

const run = (program: string, ...args: readonly string[]): void => {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
}

/** How a programme is stored: encodes the WAV at `path`, and returns the ending of the file's name. */
type Encode = (path: string, programs: Programs) => string

const codecs: readonly Encode[] = [
  () => 'wav',
  (path, { flac }) => {
    run(flac, '-s', '-f', `${path}.wav`, '-o', `${path}.flac`)
    return 'flac'
  },
  ...[128, 64].map(
    (bitrate): Encode =>
      (path, { lame }) => {
        run(lame, '--quiet', '-b', String(bitrate), `${path}.wav`, `${path}.mp3`)
        return 'mp3'
      },
  ),
  (path, { oggenc }) => {
    run(oggenc, '-Q', '-q', '2', '-o', `${path}.ogg`, `${path}.wav`)
    return 'ogg'
  },
  (path, { opusenc }) => {
    run(opusenc, '--quiet', '--bitrate', '48', `${path}.wav`, `${path}.opus`)
    return 'opus'
  },
]

type Channels = (sound: Sound, other: () => Sound) => readonly Sound[]

/** What becomes of the channels. */
const channels: readonly Channels[] = [
  (sound) => [sound],
  (sound) => [sound, sound],
  (sound) => [sound, sound.map((x) => -x)],
  (sound, other) => [other(), sound],
  (sound) => [sound, new Float32Array(sound.length)],
]

const gains = [1, 0.35, 0.7]

/** Makes the corpus in an empty folder. */
export const makeCorpus = (folder: string, seed: number, programs: Programs, count = 15): Corpus => {
  const next = chance(seed)
  const sounds = tones(folder, programs, chance(seed + 1))
  const clips = Object.entries(sounds.clips).map(([id, sound]) => {
    const path = join(folder, `clip-${id}.wav`)
    writeFileSync(path, wavOf([sound]))
    return { id, path, sound }
  })

  const programme = (n: number): Programme => {
    const truth: { clip: string; at: number }[] = []
    const pieces: Sound[] = []
    let samples = 0
    const put = (sound: Sound) => {
      pieces.push(sound)
      samples += sound.length
    }
    for (let k = 0; k < 4; k++) {
      put(sounds.filler(10 * n + k))
      // In each third programme the jingle comes twice in a row, in each fifth no clip at all.
      if (n % 5 === 4) continue
      const clip = clips[(n + k) % clips.length]!
      const times = n % 3 === 0 && clip.id === 'jingle' ? 2 : 1
      for (let i = 0; i < times; i++) {
        truth.push({ clip: clip.id, at: samples / studioRate })
        put(clip.sound.map((x) => x * gains[(n + k) % gains.length]!))
      }
    }
    put(sounds.filler(10 * n + 9))
    const sound = joined(...pieces)
    // Hiss, 20 to 40 dB below speech.
    const loud = n % 2 === 0 ? 0.002 : 0.012
    for (let i = 0; i < samples; i++) sound[i]! += loud * (next() - 0.5)
    const other = (): Sound => {
      const whole = new Float32Array(samples)
      for (let from = 0, k = 0; from < samples; k++) {
        const filler = sounds.filler(500 + 10 * n + k)
        whole.set(filler.subarray(0, samples - from), from)
        from += filler.length
      }
      return whole
    }
    const path = join(folder, `programme-${n}`)
    writeFileSync(`${path}.wav`, wavOf(channels[n % channels.length]!(sound, other)))
    const ending = codecs[n % codecs.length]!(path, programs)
    return { id: String(n), path: `${path}.${ending}`, truth }
  }

  return { clips, programmes: Array.from({ length: count }, (_, n) => programme(n)) }
}
