import { rm } from 'node:fs/promises'
import { driftCost } from '@fonds/sound'
import { createFourier, type Fourier, searchGroup } from '@fonds/sound/search'
import { played } from '../packages/sound/test/search/textures.ts'
import type { Recording } from '../src/workers/research/recording.ts'
import { degradations, wav } from './degradations.ts'
import { chance, programme, studioRate } from './programmes.ts'
import { dropRecordings, recorded } from './recordings.ts'

/*
 * Clips of a programme that plays faster or slower than they do, looked for with drift and without, and in a programme that
 * does not hold them: what is found, and what that costs. `node bench/drift.ts [minutes of each programme, default 2]`
 */

const minutes = Number(process.argv[2] ?? 2)
if (!(minutes >= 1)) throw new Error('usage: node bench/drift.ts [minutes], from 1')

const drifts = [0.02, 0.05, 0.1, 0.3, 1]
const lengths = [0.5, 1, 3, 10]
const each = 4
/** Nearer than this to the truth is found. */
const tolerance = 0.05

interface Sought {
  readonly id: string
  readonly at: number
  readonly recording: Recording
}

const home = programme(7, minutes * 60, 96)
const other = programme(8, minutes * 60, 107)

const clipsOfHome = (): Promise<Sought[]> => {
  const next = chance(77)
  const places = lengths.flatMap((seconds) =>
    Array.from({ length: each }, () => {
      const roomy = home.unique.filter(([from, to]) => to - from > seconds)
      const [from, to] = roomy[Math.floor(next() * roomy.length)]!
      return { seconds, at: from + next() * (to - from - seconds) }
    }),
  )
  return Promise.all(
    places.map(async ({ seconds, at }, i) => {
      const [first, end] = [at, at + seconds].map((second) => Math.round(second * studioRate))
      return { id: String(i), at, recording: await recorded(wav(home.sound.slice(first, end))) }
    }),
  )
}

interface Tally {
  right: number
  wrong: number
  readonly scores: number[]
  readonly errors: number[]
}

/** Adds what was found, and gives the seconds of processor that it took. */
const search = async (
  fourier: Fourier,
  episode: Recording,
  clips: readonly Sought[],
  { drift, truth }: { readonly drift: number; readonly truth: (clip: Sought) => number | undefined },
  tally: Tally,
): Promise<number> => {
  const before = process.cpuUsage()
  for await (const told of searchGroup(fourier, episode, clips, async () => {}, { drift })) {
    if ('error' in told) throw new Error(`${told.clip}: ${told.error}`)
    const place = truth(clips[Number(told.clip)]!)
    for (const { offset, score } of told.matches) {
      const error = Math.abs(offset / 1e9 - (place ?? Number.POSITIVE_INFINITY))
      if (error > tolerance) tally.wrong++
      else {
        tally.right++
        tally.scores.push(score)
        tally.errors.push(error)
      }
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const empty = (): Tally => ({ right: 0, wrong: 0, scores: [], errors: [] })

const share = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(2))

const row = async (fourier: Fourier, clips: readonly Sought[], percent: number, noise: boolean) => {
  const degrade = noise ? degradations['noise, SNR 10 dB']! : degradations.none!
  const without = empty()
  const within = empty()
  const drift = percent / 100
  let seconds = 0
  let secondsWithout = 0
  for (const sign of [1, -1]) {
    const speed = 1 + sign * drift
    const episode = await recorded(await degrade(played(home.sound, speed)))
    const truth = ({ at }: Sought) => at / speed
    secondsWithout += await search(fourier, episode, clips, { drift: 0, truth }, without)
    seconds += await search(fourier, episode, clips, { drift, truth }, within)
    await rm(episode.path)
  }
  const absent = await recorded(wav(other.sound))
  const nowhere = () => undefined
  secondsWithout += await search(fourier, absent, clips, { drift: 0, truth: nowhere }, without)
  seconds += await search(fourier, absent, clips, { drift, truth: nowhere }, within)
  await rm(absent.path)
  const wanted = 2 * clips.length
  const hours = (3 * clips.length * minutes) / 60
  return {
    drift: `${percent} %${noise ? ', noise 10 dB' : ''}`,
    'recall without': share(without.right, wanted),
    recall: share(within.right, wanted),
    precision: share(within.right, within.right + within.wrong),
    'mean score': (within.scores.reduce((a, b) => a + b, 0) / within.scores.length).toFixed(3),
    'least score': Math.min(...within.scores).toFixed(3),
    'most error': `${(1000 * Math.max(...within.errors)).toFixed(2)} ms`,
    'CPU, s a clip and hour': (seconds / hours).toFixed(1),
    times: (seconds / secondsWithout).toFixed(0),
  }
}

try {
  const fourier = await createFourier()
  const clips = await clipsOfHome()
  const rows = []
  for (const percent of drifts) {
    console.log(driftCost(percent / 100))
    rows.push(await row(fourier, clips, percent, false))
  }
  rows.push(await row(fourier, clips, 0.1, true))
  console.log(
    `\n${clips.length} clips of ${lengths.join(', ')} s, in ${minutes} min that hold them and as many that do not`,
  )
  console.table(rows)
} finally {
  await dropRecordings()
}
