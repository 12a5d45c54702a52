import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResampler } from '../../src/decode/resample.ts'
import type { Finding } from '../../src/search/finding.ts'
import { createFourier, type Fourier } from '../../src/search/fourier.ts'
import { searchGroup } from '../../src/search/search-group.ts'
import { rate } from '../../src/search/settings.ts'
import { joined, nanos, record } from './sounds.ts'
import { studioRate, textures } from './textures.ts'

let folder: string
let fourier: Fourier
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-phases-'))
  fourier = await createFourier()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

/** As the researcher has it of a file at the studio's rate. */
const heard = (sound: Float32Array): Int16Array => {
  const resampler = createResampler(studioRate, rate)
  return joined(resampler.push(sound), resampler.end())
}

let names = 0
const recorded = (sound: Float32Array) => record(folder, String(names++), heard(sound))

const find = async (episode: Float32Array, clips: readonly Float32Array[]): Promise<readonly Finding[]> => {
  const wanted = await Promise.all(
    clips.map(async (clip, i) => ({ id: String(i), recording: await recorded(clip) })),
  )
  const found: Finding[] = []
  for await (const outcome of searchGroup(fourier, await recorded(episode), wanted, async () => {})) {
    if ('error' in outcome) throw new Error(outcome.error)
    found[Number(outcome.clip)] = outcome
  }
  return found
}

const best = ({ matches }: Finding) => matches.toSorted((a, b) => b.score - a.score)[0]

/** A sample of ours is 5.5125 of the studio's: so many in a row are at all phases. */
const starts = Array.from({ length: 11 }, (_, i) => Math.round(2.5 * studioRate) + i)

describe.each(Object.entries(textures))('a lossless copy of %s is found at every phase', (_, texture) => {
  const episode = texture(6, 3)

  test.each([0.3, 1.5])('%d s of it: within 0.1 ms, with a score of 0.97 and more', async (seconds) => {
    const clips = starts.map((start) => episode.slice(start, start + Math.round(seconds * studioRate)))
    for (const [i, finding] of (await find(episode, clips)).entries()) {
      const match = best(finding)
      expect(match?.score).toBeGreaterThan(0.97)
      expect(Math.abs(match!.offset - nanos(starts[i]! / studioRate))).toBeLessThan(nanos(0.0001))
    }
  })
})

describe('an episode that begins or ends within the clip', () => {
  const sound = textures.applause!(9, 5)
  const at = 3 * studioRate
  const length = 1.5 * studioRate
  const clip = sound.slice(at, at + length)

  test.each([0.01, 0.1, 0.5, 0.99])(
    '%d s of the clip are missing: what there is, is told',
    async (missing) => {
      const cut = Math.round(missing * studioRate)
      const [late] = await find(sound.slice(at + cut), [clip])
      const [early] = await find(sound.slice(0, at + length - cut), [clip])
      const about = (seconds: number) => expect.closeTo(nanos(seconds), -5)
      expect(late!.matches).toEqual([
        { offset: 0, score: expect.closeTo(1, 2), part: { from: about(missing), to: nanos(1.5) } },
      ])
      expect(early!.matches).toEqual([
        { offset: about(3), score: expect.closeTo(1, 2), part: { from: 0, to: about(1.5 - missing) } },
      ])
    },
  )

  test('the episode lies within the clip', async () => {
    const [finding] = await find(sound.slice(at + 0.3 * studioRate, at + studioRate), [clip])
    expect(finding!.matches).toEqual([
      {
        offset: 0,
        score: expect.closeTo(1, 2),
        part: { from: expect.closeTo(nanos(0.3), -5), to: expect.closeTo(nanos(1), -5) },
      },
    ])
  })

  test('less than a third of it is chance', async () => {
    const [finding] = await find(sound.slice(at + 1.1 * studioRate), [clip])
    expect(finding!.matches).toEqual([])
  })
})
