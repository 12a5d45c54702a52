import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResampler } from '../../../src/decode/resample.ts'
import type { Finding } from '../../../src/search/finding.ts'
import { createFourier, type Fourier } from '../../../src/search/fourier.ts'
import { searchGroup } from '../../../src/search/search-group.ts'
import { rate } from '../../../src/search/settings.ts'
import { joined, nanos, record } from '../sounds.ts'
import { played, studioRate, textures } from '../textures.ts'

let folder: string
let fourier: Fourier
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-drift-'))
  fourier = await createFourier()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

let names = 0
const recorded = (sound: Float32Array) => {
  const resampler = createResampler(studioRate, rate)
  return record(folder, String(names++), joined(resampler.push(sound), resampler.end()))
}

const find = async (episode: Float32Array, clip: Float32Array, drift: number): Promise<Finding> => {
  const clips = [{ id: 'clip', recording: await recorded(clip) }]
  for await (const outcome of searchGroup(fourier, await recorded(episode), clips, async () => {}, {
    drift,
  })) {
    if ('error' in outcome) throw new Error(outcome.error)
    return outcome
  }
  throw new Error('nothing was told')
}

/** Of these the search at many speeds is long. */
const some = (['white noise', 'narrow hiss', 'plucks'] as const).map(
  (name) => [name, textures[name]!] as const,
)

const cut = (sound: Float32Array, from: number, to: number) =>
  sound.slice(Math.round(from * studioRate), Math.round(to * studioRate))

const match = (seconds: number, speed: number) => ({
  offset: expect.closeTo(nanos(seconds), -5),
  score: expect.closeTo(1, 2),
  speed: expect.closeTo(speed, 5),
})

describe.each(some)('%s at another speed', (_, texture) => {
  const sound = texture(7, 3)

  test.each([
    [0.9, 1.01],
    [1.7, 0.9927],
    [5, 1.002],
  ])('%d s of it, at a speed of %d: within 0.1 ms, with a score of 0.97 and more', async (seconds, speed) => {
    const clip = cut(sound, 1.5, 1.5 + seconds)
    const { matches } = await find(played(sound, speed), clip, 0.01)
    expect(matches).toEqual([match(1.5 / speed, speed)])
  })
})

describe('drift', () => {
  const sound = textures.applause!(12, 5)
  const clip = cut(sound, 4, 9)

  test('is not looked for where it is not asked for', async () => {
    expect((await find(played(sound, 1.01), clip, 0)).matches).toEqual([])
  })

  test('of what has none the clip is told as it is', async () => {
    expect((await find(sound, clip, 0.01)).matches).toEqual([
      { offset: expect.closeTo(nanos(4), -5), score: expect.closeTo(1, 2) },
    ])
  })

  test('a part of the clip, at either end of the episode', async () => {
    const episode = cut(sound, 7, 12)
    expect((await find(played(episode, 0.994), clip, 0.01)).matches).toEqual([
      { ...match(0, 0.994), part: { from: expect.closeTo(nanos(3), -5), to: nanos(5) } },
    ])
    expect((await find(played(cut(sound, 0, 5.8), 1.006), clip, 0.01)).matches).toEqual([
      { ...match(4 / 1.006, 1.006), part: { from: 0, to: expect.closeTo(nanos(1.8), -6) } },
    ])
  })

  test('twice, and upside down at that', async () => {
    const fast = played(clip, 1.003)
    const episode = Float32Array.from([...cut(sound, 0, 2), ...fast, ...fast.map((x) => -0.5 * x)])
    expect((await find(episode, clip, 0.005)).matches).toEqual([match(2, 1.003), match(2 + 5 / 1.003, 1.003)])
  })

  test.each(some)('what is not there is not found at any speed: %s', async (_, texture) => {
    const { matches, bestScore } = await find(texture(20, 21), cut(texture(3, 22), 0.5, 2), 0.01)
    expect(matches).toEqual([])
    expect(bestScore).toBeLessThan(0.6)
  })
})
