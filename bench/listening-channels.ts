import { wav } from '../packages/sound/test/decode/tones.ts'
import type { Recording } from '../src/workers/research/recording.ts'
import type { WantedClip } from '../src/workers/research/searcher.ts'
import { programme, studioRate } from './programmes.ts'
import { recorded } from './recordings.ts'
import { expectSame, interleaved, type Line, median, medianRatio } from './table.ts'

/** Seconds of each programme. */
const seconds = 240

type Search = (episode: Recording, clips: readonly WantedClip[]) => Promise<number>

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** No sample is beyond what WAV holds. */
const halved = (sound: Float32Array): Float32Array => sound.map((x) => x / 2)

/**
 * Decodes and searches the beginning of `whole`, which has the clip: on one channel, on two channels, and on one of two with
 * another programme on the other. `search` returns the number of matches.
 */
export const linesOfChannels = async (
  rounds: number,
  whole: Float32Array,
  clip: WantedClip,
  search: Search,
): Promise<readonly Line[]> => {
  const other = halved(programme(2, seconds, 100).sound)
  const sound = halved(whole.subarray(0, other.length))
  const files = [[sound], [sound, sound], [sound, other]].map((channels) => wav(studioRate, channels))
  const [one, same, two] = await Promise.all(files.map(recorded))
  expectSame('stretches of channels that differ', same!.differing?.length ?? 0, 0)
  const matches = await search(one!, [clip])
  if (matches === 0) throw new Error('the clip is not found on one channel')
  for (const episode of [same!, two!])
    expectSame('matches on two channels', await search(episode, [clip]), matches)

  const decoded = await interleaved(rounds, ...files.map((file) => () => timed(() => recorded(file))))
  const searched = await interleaved(
    rounds,
    ...[one!, same!, two!].map((episode) => () => timed(() => search(episode, [clip]))),
  )
  const lines = (work: string, [mono, ...others]: typeof decoded, least: readonly number[]): Line[] =>
    ['two channels alike', 'two programmes on two channels'].map((what, i) => ({
      what: `${what}, ${work}`,
      ours: seconds / median(others[i]!),
      beside: 'one channel',
      theirs: seconds / median(mono!),
      unit: 's/s',
      ratio: medianRatio(mono!, others[i]!),
      promise: least[i]!,
    }))
  return [...lines('decoded', decoded, [0.5, 0.3]), ...lines('searched', searched, [0.9, 0.25])]
}
