import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Programs } from './corpus.ts'
import { joined, type Sound, soundOf, studioRate } from './sounds.ts'

interface Sounds {
  readonly clips: Readonly<Record<'jingle' | 'speech' | 'music' | 'chime' | 'applause', Sound>>
  /** Another piece of 4 s and more for each number: speech, music, applause or noise, none of which is in a clip. */
  filler(number: number): Sound
}

const subjects = [
  'The mayor',
  'A sailor',
  'My uncle',
  'The weather',
  'Our choir',
  'Nobody',
  'The harbour',
  'A letter',
]
const verbs = ['remembers', 'forgot', 'crossed', 'painted', 'refuses', 'collects', 'described', 'buried']
const objects = [
  'eleven bridges',
  'the old railway',
  'forty pigeons',
  'a parcel of maps',
  'its own shadow',
  'the winter fair',
  'yellow umbrellas',
  'two quiet islands',
]
const times = [
  'before breakfast',
  'in spite of the rain',
  'every other Tuesday',
  'without a word',
  'on the second floor',
  'as the tide turned',
]
const voices = ['en-us+f2', 'en-gb+m4', 'en-us+m7', 'en-gb+f4']

/** Makes the sounds; `next` is the chance of music and of applause. */
export const tones = (folder: string, programs: Programs, next: () => number): Sounds => {
  let files = 0
  const made = (make: (path: string) => void): Sound => {
    const path = join(folder, `sound-${files++}.wav`)
    make(path)
    const whole = join(folder, `sound-${files++}.wav`)
    execFileSync(programs.sox, [path, '-r', String(studioRate), '-c', '1', '-b', '16', whole], {
      stdio: 'ignore',
    })
    return soundOf(whole)
  }
  const spoken = (voice: string, text: string) =>
    made((path) => execFileSync(programs['espeak-ng'], ['-v', voice, '-s', '160', '-w', path, text]))
  /** Plucked strings, one after the other. */
  const plucked = (notes: readonly string[], seconds: number) =>
    made((path) => {
      const each = notes.flatMap((note, i) => [
        ...(i > 0 ? [':'] : []),
        'synth',
        String(seconds),
        'pluck',
        note,
      ])
      execFileSync(
        programs.sox,
        ['-R', '-n', '-b', '16', '-r', String(studioRate), path, ...each, 'gain', '-6'],
        {
          stdio: 'ignore',
        },
      )
    })
  const sentence = (number: number): string => {
    const of = (list: readonly string[], by: number) => list[Math.floor(number / by) % list.length]!
    return `${of(subjects, 1)} ${of(verbs, 3)} ${of(objects, 5)} ${of(times, 2)}; ${of(objects, 2)} ${of(verbs, 1)} ${of(subjects, 7)}.`
  }
  const applause = (seconds: number): Sound => {
    const sound = new Float32Array(Math.round(seconds * studioRate))
    for (let clap = 0; clap < seconds * 70; clap++) {
      const at = Math.floor(next() * sound.length)
      const loud = 0.05 + 0.2 * next()
      for (let i = 0; i < 900 && at + i < sound.length; i++)
        sound[at + i]! += loud * (next() - 0.5) * Math.exp(-i / 250)
    }
    return sound
  }
  const wave = (seconds: number, hertz: number): Sound =>
    Float32Array.from(
      { length: Math.round(seconds * studioRate) },
      (_, i) => 0.4 * Math.exp((-2 * i) / studioRate) * Math.sin((2 * Math.PI * hertz * i) / studioRate),
    )
  const half = joined(wave(0.5, 523), wave(0.5, 659), wave(0.5, 784))
  const scale = ['C4', 'D4', 'E4', 'G4', 'A4', 'B3', 'F4', 'D5', 'A3', 'E5']
  const tune = () =>
    plucked(
      Array.from({ length: 8 }, () => scale[Math.floor(next() * scale.length)]!),
      0.5,
    )
  const noise = (seconds: number): Sound => {
    let low = 0
    return Float32Array.from({ length: Math.round(seconds * studioRate) }, () => {
      low = 0.9 * low + next() - 0.5
      return 0.08 * low
    })
  }
  return {
    clips: {
      // Its second half is its first: it scores 0.6 and more at half of itself, and 1 where it comes twice in a row.
      jingle: joined(half, half),
      speech: spoken('en-gb+m3', 'This is the evening bulletin from the studio by the lake.'),
      music: plucked(['C4', 'G4', 'E4', 'C5', 'A4', 'F4', 'D4', 'G3'], 0.4),
      chime: joined(wave(0.7, 880), wave(0.9, 698)),
      applause: applause(2.5),
    },
    filler: (number) => {
      const kind = number % 7
      if (kind === 3) return tune()
      if (kind === 5) return applause(4)
      if (kind === 6) return noise(4)
      return spoken(voices[number % voices.length]!, sentence(number))
    },
  }
}
