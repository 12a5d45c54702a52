import { rm } from 'node:fs/promises'
import { engineFor, rate, thresholdFor } from '@fonds/sound'
import { createFourier, type Fourier, searchGroup } from '@fonds/sound/search'
import { studioRate as textureRate, textures } from '../packages/sound/test/search/textures.ts'
import type { Recording } from '../src/workers/research/recording.ts'
import { degradations, faded, wav } from './degradations.ts'
import { chance, jingle, type Programme, programme, studioRate } from './programmes.ts'
import { dropRecordings, recorded } from './recordings.ts'

/*
 * Precision and recall of the searcher on a generated corpus: clips cut from programmes, looked for in the same programmes
 * after what archives do to sound, and in programmes that do not hold them but sound alike.
 * `node bench/corpus.ts [minutes of each programme, default 2] [programmes, default 3]`
 */

const lengths = [0.2, 0.3, 0.5, 1, 2, 5]
const thresholds = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
/** From here on a clip has something of its own; a note or a vowel that is shorter is everywhere. */
const telling = 0.5
/** Nearer than this to the truth is found. */
const tolerance = 0.05

interface Sought {
  readonly id: string
  readonly seconds: number
  readonly recording: Recording
  /** The programme that holds it, and where. */
  readonly home: number
  readonly truth: readonly number[]
}

/** What was told of one clip in one degraded programme. */
interface Verdict {
  readonly degradation: string
  readonly seconds: number
  readonly threshold: number
  readonly truth: readonly number[]
  readonly matches: readonly { readonly at: number; readonly score: number }[]
}

const cut = (sound: Float32Array, from: number, seconds: number): Float32Array =>
  sound.slice(Math.round(from * studioRate), Math.round((from + seconds) * studioRate))

const loudness = (sound: Float32Array): number =>
  Math.sqrt(sound.reduce((sum, x) => sum + x * x, 0) / sound.length)

/** So many clips of each length out of a programme, plain or faded, and its jingle. */
const clipsOf = async (
  { sound, unique, jingles }: Programme,
  home: number,
  each: number,
  firstSeed: number,
): Promise<Sought[]> => {
  const next = chance(firstSeed + 1000 + home)
  const clips: Sought[] = []
  for (const seconds of lengths)
    for (let n = 0; n < each; ) {
      const [from, to] = unique[Math.floor(next() * unique.length)]!
      const at = from + next() * (to - from - seconds)
      const piece = cut(sound, at, seconds)
      if (at < from || loudness(piece) < 0.02) continue
      const media = wav(n % 4 === 3 ? faded(piece) : piece)
      clips.push({
        id: `${home}/${seconds}/${n}`,
        seconds,
        recording: await recorded(media),
        home,
        truth: [at],
      })
      n++
    }
  const own = await recorded(wav(cut(sound, jingles[0] ?? 0, 4)))
  return [...clips, { id: `${home}/jingle`, seconds: 4, recording: own, home, truth: jingles }]
}

const counts = (verdicts: readonly Verdict[], threshold: (verdict: Verdict) => number) => {
  let right = 0
  let wrong = 0
  let missed = 0
  const errors: number[] = []
  for (const verdict of verdicts) {
    const matches = verdict.matches.filter(({ score }) => score >= threshold(verdict))
    const distance = (at: number, truth: number) => Math.abs(at - truth)
    for (const { at } of matches) {
      const error = Math.min(...verdict.truth.map((truth) => distance(at, truth)))
      if (error < tolerance) {
        right++
        errors.push(error)
      } else wrong++
    }
    missed += verdict.truth.filter(
      (truth) => !matches.some(({ at }) => distance(at, truth) < tolerance),
    ).length
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
  return { right, wrong, missed, mean, most: Math.max(0, ...errors) }
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3))
const millis = (seconds: number): string => `${(seconds * 1000).toFixed(1)} ms`

const minutes = Number(process.argv[2] ?? 2)
const homes = Number(process.argv[3] ?? 3)
if (!(minutes >= 1) || !(homes >= 2))
  throw new Error('usage: node bench/corpus.ts [minutes, from 1] [programmes, from 2]')

/** Seeds of the programmes by which the thresholds were chosen, and of others that nobody has looked at. */
const sets = { 'that thresholds were chosen by': 0, 'held out': 1000 }

const verdictsOf = async (fourier: Fourier, firstSeed: number): Promise<Verdict[]> => {
  const programmes = Array.from({ length: homes }, (_, home) =>
    programme(firstSeed + home, minutes * 60, 96 + 11 * home),
  )
  const clips = (await Promise.all(programmes.map((one, home) => clipsOf(one, home, 4, firstSeed)))).flat()
  // The jingle at a tempo of no programme.
  clips.push({
    id: 'other jingle',
    seconds: 4,
    recording: await recorded(wav(jingle(72))),
    home: -1,
    truth: [],
  })
  const wanted = new Map(clips.map((clip) => [clip.id, clip]))
  const verdicts: Verdict[] = []
  for (const [degradation, degrade] of Object.entries(degradations))
    for (const [home, { sound }] of programmes.entries()) {
      const episode = await recorded(await degrade(sound))
      const idly = async () => {}
      for await (const told of searchGroup(fourier, episode, clips, idly, { threshold: () => 0.25 })) {
        const clip = wanted.get(told.clip)!
        if ('error' in told) throw new Error(`${told.clip}: ${told.error}`)
        verdicts.push({
          degradation,
          seconds: clip.seconds,
          threshold: thresholdFor(clip.recording.samples),
          truth: clip.home === home ? clip.truth : [],
          matches: told.matches
            // Of a part more is asked than of the clip.
            .filter(({ part, score }) => !part || score >= thresholdFor(((part.to - part.from) / 1e9) * rate))
            .map(({ offset, score }) => ({ at: offset / 1e9, score })),
        })
      }
      await rm(episode.path)
    }
  return verdicts
}

const print = (verdicts: readonly Verdict[]): void => {
  console.log('\nAt the threshold chosen, by what was done to the programme')
  console.table(
    Object.keys(degradations).map((degradation) => {
      const told = (those: (verdict: Verdict) => boolean) =>
        counts(
          verdicts.filter((verdict) => verdict.degradation === degradation && those(verdict)),
          ({ threshold }) => threshold,
        )
      const long = told(({ seconds }) => seconds >= telling)
      const short = told(({ seconds }) => seconds < telling)
      return {
        degradation,
        [`precision, from ${telling} s`]: share(long.right, long.right + long.wrong),
        recall: share(long.right, long.right + long.missed),
        'mean error': millis(long.mean),
        'most error': millis(long.most),
        [`precision, under ${telling} s`]: share(short.right, short.right + short.wrong),
        'its recall': share(short.right, short.right + short.missed),
      }
    }),
  )
  console.log('\nPrecision / recall by threshold and length of the clip, all degradations')
  console.table(
    [...new Set(verdicts.map(({ seconds }) => seconds))]
      .sort((a, b) => a - b)
      .map((seconds) => {
        const those = verdicts.filter((verdict) => verdict.seconds === seconds)
        const at = (threshold: (verdict: Verdict) => number) => {
          const { right, wrong, missed } = counts(those, threshold)
          return `${share(right, right + wrong)} / ${share(right, right + missed)}`
        }
        return {
          seconds,
          ...Object.fromEntries(thresholds.map((threshold) => [threshold.toFixed(1), at(() => threshold)])),
          chosen: `${at(({ threshold }) => threshold)} at ${those[0]!.threshold.toFixed(2)}`,
        }
      }),
  )
}

/** Lossless copies of the sounds that look least like themselves half a sample off, at all phases. */
const printTextures = async (fourier: Fourier): Promise<void> => {
  const rows: object[] = []
  for (const [texture, make] of Object.entries(textures))
    for (const seconds of [0.3, 1.5]) {
      const sound = make(60, 7)
      const whole = await recorded(wav(sound, textureRate))
      const starts = Array.from({ length: 200 }, (_, i) => Math.round((i * 58 * textureRate) / 200) + i)
      const clips = await Promise.all(
        starts.map(async (start) => ({
          id: String(start),
          recording: await recorded(wav(sound.slice(start, start + seconds * textureRate), textureRate)),
        })),
      )
      const scores: number[] = []
      let most = 0
      for await (const told of searchGroup(fourier, whole, clips, async () => {})) {
        if ('error' in told) throw new Error(told.error)
        const best = told.matches.toSorted((a, b) => b.score - a.score)[0]
        scores.push(best?.score ?? 0)
        if (best) most = Math.max(most, Math.abs(best.offset / 1e9 - Number(told.clip) / textureRate))
      }
      rows.push({
        texture,
        seconds,
        found: `${scores.filter((score) => score > 0).length} of ${clips.length}`,
        'least score': Math.min(...scores).toFixed(4),
        'most error': `${(most * 1000).toFixed(3)} ms`,
      })
    }
  console.log('\nLossless copies at all phases')
  console.table(rows)
}

try {
  const started = performance.now()
  const fourier = await createFourier()
  await printTextures(fourier)
  for (const [set, firstSeed] of Object.entries(sets)) {
    const verdicts = await verdictsOf(fourier, firstSeed)
    console.log(
      `\nProgrammes ${set}: ${homes} of ${minutes} min, ${verdicts.length} pairs, ` +
        `${verdicts.filter(({ truth }) => truth.length === 0).length} of them absent; ${engineFor(0).settings}`,
    )
    print(verdicts)
  }
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)
} finally {
  await dropRecordings()
}
