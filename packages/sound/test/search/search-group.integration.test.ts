import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding, Pcm, SearchFailure } from '../../src/search/finding.ts'
import { createFourier, type Fourier } from '../../src/search/fourier.ts'
import { scoreOf } from '../../src/search/score.ts'
import { searchGroup } from '../../src/search/search-group.ts'
import { hop, maxClipSamples, rate, thresholdFor, untoldSilence } from '../../src/search/settings.ts'
import { trim } from '../../src/search/template.ts'
import { babble, chance, joined, louder, nanos, over, record, recordingAt, silent, tone } from './sounds.ts'

let folder: string
let fourier: Fourier
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-search-'))
  fourier = await createFourier()
})
/** A test that ran into its limit goes on behind it: it is stopped before what it works on is taken away. */
const underway = new Set<Promise<unknown>>()
let stopped = false
afterAll(async () => {
  stopped = true
  while (underway.size > 0) await Promise.allSettled(underway)
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

const idly = async () => {}

const searchIn = async (episode: Pcm, clips: readonly (readonly [string, Pcm])[]) => {
  const wanted = clips.map(([id, recording]) => ({ id, recording }))
  const found = new Map<string, Finding | SearchFailure>()
  for await (const outcome of searchGroup(fourier, episode, wanted, idly)) found.set(outcome.clip, outcome)
  return found
}

let names = 0
const find = (episode: Int16Array, clip: Int16Array): Promise<Finding> => {
  if (stopped) throw new Error('the suite is over')
  const finding = findOne(episode, clip)
  underway.add(finding)
  return finding.finally(() => underway.delete(finding))
}

const findOne = async (episode: Int16Array, clip: Int16Array): Promise<Finding> => {
  const name = String(names++)
  const found = await searchIn(await record(folder, `episode-${name}`, episode), [
    [name, await record(folder, `clip-${name}`, clip)],
  ])
  const finding = found.get(name)
  if (!finding || 'error' in finding) throw new Error(finding?.error ?? 'nothing was told')
  return finding
}

const offsets = ({ matches }: Finding): number[] => matches.map(({ offset }) => offset)
const clip = babble(1.5, 7)

describe('what is found', () => {
  test('a clip where it is, to the sample, with a score of 1', async () => {
    const episode = joined(babble(3.2, 1), clip, babble(4, 2))
    expect(await find(episode, clip)).toMatchObject({
      matches: [{ offset: nanos(3.2), score: 1 }],
      bestScore: 1,
    })
  })

  test.each([
    ['at the beginning', 0, 2],
    ['at the end', 3, 0],
    ['over the border of two hops', hop / rate - 0.7, 5],
    ['behind many hops', 80.125, 1],
  ])('%s', async (_, before, after) => {
    const episode = joined(babble(before, 1), clip, babble(after, 2))
    expect(offsets(await find(episode, clip))).toEqual([nanos(before)])
  })

  test('several times, at any volume, by offset', async () => {
    const twice = louder(clip, 0.25)
    const episode = joined(babble(1, 1), clip, babble(2, 2), twice, louder(clip, 2), babble(1, 3))
    const finding = await find(episode, clip)
    expect(offsets(finding)).toEqual([1, 4.5, 6].map(nanos))
    for (const { score } of finding.matches) expect(score).toBeGreaterThan(0.99)
  })

  test('a clip that is the whole episode, and one of many hops', async () => {
    const long = babble(9, 5)
    expect(await find(long, long)).toMatchObject({ matches: [{ offset: 0, score: 1 }] })
    expect(offsets(await find(joined(babble(7, 1), long, babble(1, 2)), long))).toEqual([nanos(7)])
  })

  test('upside down, as broadcast chains turn it', async () => {
    const finding = await find(joined(babble(1, 1), louder(clip, -0.7), babble(1, 2)), clip)
    expect(offsets(finding)).toEqual([nanos(1)])
    expect(finding.bestScore).toBeGreaterThan(0.99)
  })

  test('under noise: the score tells how much', async () => {
    const noisy = (decibels: number) =>
      find(
        joined(babble(2, 1), over(clip, louder(babble(1.5, 9), 10 ** (-decibels / 20))), babble(2, 2)),
        clip,
      )
    for (const decibels of [20, 10, 5]) {
      const { matches } = await noisy(decibels)
      expect(matches).toHaveLength(1)
      expect(Math.abs(matches[0]!.offset - nanos(2))).toBeLessThan(nanos(0.001))
      expect(matches[0]!.score).toBeCloseTo(1 / Math.sqrt(1 + 10 ** (-decibels / 10)), 1)
    }
  })

  test('clipped samples, an offset of zero level, and full scale', async () => {
    const shifted = louder(clip, 1).map((sample) => sample + 9000)
    expect(offsets(await find(joined(babble(1, 1), louder(clip, 20), babble(1, 2)), clip))).toEqual([
      expect.closeTo(nanos(1), -4),
    ])
    expect((await find(joined(babble(1, 1), shifted, babble(1, 2)), clip)).matches).toEqual([
      { offset: nanos(1), score: expect.closeTo(1, 5) },
    ])
    const square = Int16Array.from({ length: rate }, (_, i) => (chance(i >> 4)() < 0.5 ? -32_768 : 32_767))
    expect((await find(joined(square, square), square)).matches).toEqual([
      { offset: 0, score: 1 },
      { offset: nanos(1), score: 1 },
    ])
  })

  test('a very quiet occurrence beside a very loud sound', async () => {
    const episode = joined(louder(babble(2, 1), 8), louder(clip, 0.005), louder(babble(2, 2), 8))
    expect(offsets(await find(episode, clip))).toEqual([expect.closeTo(nanos(2), -4)])
  })

  test('digital silence about a clip is cut off; offsets are of its beginning, silence and all', async () => {
    const padded = joined(silent(0.4), clip, silent(0.3))
    const episode = joined(babble(2, 1), clip, babble(2, 2))
    expect(offsets(await find(episode, padded))).toEqual([nanos(1.6)])
    expect(offsets(await find(joined(clip, babble(2, 2)), padded))).toEqual([0])
  })

  test('a long silent lead: the first place lies within a cell, and what is loud just before it stays out', async () => {
    const quiet = louder(clip, 0.02)
    for (const odd of [1, 37, 63]) {
      const before = babble((untoldSilence + odd) / rate, 1).subarray(0, odd)
      before[odd - 1] = 32_767
      const finding = await find(
        joined(before, quiet, babble(2, 2)),
        joined(new Int16Array(untoldSilence + odd), quiet),
      )
      expect(finding.matches).toMatchObject([{ offset: 0, score: 1 }])
    }
  })
})

describe('what is not found', () => {
  test('a clip that is not in it: the best score is told', async () => {
    const { matches, bestScore } = await find(babble(60, 1), clip)
    expect(matches).toEqual([])
    expect(bestScore).toBeGreaterThan(0)
    expect(bestScore).toBeLessThan(0.3)
  })

  test.each([
    ['silence', silent(5)],
    ['a constant', silent(5).fill(1234)],
    ['the least noise', silent(5).map((_, i) => (i % 4000 === 0 ? 1 : 0))],
  ])('anything in %s, which scores 0 and never NaN', async (_, episode) => {
    expect(await find(episode, clip)).toEqual({
      clip: expect.anything(),
      matches: [],
      bestScore: 0,
      silent: 'episode',
      note: 'the episode is silent',
    })
  })

  test.each([
    ['the clip has no sound at all: zero samples', silent(0)],
    ['the clip is silent', silent(2)],
    ['the clip is silent', silent(2).fill(500)],
    ['the clip sounds for 0.05 s: under 0.1 s chance resembles anything', babble(0.05, 3)],
    ['the episode is shorter than a third of the clip', babble(15.1, 3)],
  ])('%s', async (note, unfit) => {
    const { matches, bestScore, note: told } = await find(babble(5, 1), unfit)
    expect({ matches, bestScore, told }).toEqual({ matches: [], bestScore: 0, told: note })
  })

  test('one tone in another of the same pitch: no two overlap, and never more than are asked for', async () => {
    const { matches } = await find(tone(30, 440), tone(1, 440))
    expect(matches.length).toBeGreaterThan(20)
    // A part at the beginning is of a clip that began before it.
    const starts = matches.map(({ offset, part }) => offset - (part?.from ?? 0))
    for (const [i, start] of starts.entries())
      if (i > 0) expect(start - starts[i - 1]!).toBeGreaterThanOrEqual(nanos(0.95) - 1)
  })
})

describe('F22: one bad clip is one failed clip', () => {
  test('missing, cut short, of another rate, too long: each by itself; the others are found', async () => {
    const episode = await record(folder, 'good', joined(babble(2, 1), clip, babble(2, 2)))
    const good = await record(folder, 'good-clip', clip)
    const found = await searchIn(episode, [
      ['missing', recordingAt(join(folder, 'no such file'), rate)],
      ['good', good],
      ['cut', { ...good, samples: good.samples + 1 }],
      ['other rate', { ...good, rate: 44_100 }],
      ['long', { ...good, samples: maxClipSamples + 1 }],
    ])
    expect(found.get('good')).toMatchObject({ matches: [{ offset: nanos(2), score: 1 }] })
    expect(found.get('missing')).toMatchObject({ error: expect.stringContaining('ENOENT') })
    expect(found.get('cut')).toMatchObject({
      error: expect.stringMatching(/has 12000: fetch and decode it again/),
    })
    expect(found.get('other rate')).toMatchObject({ error: expect.stringMatching(/44100 .* wants 8000/) })
    expect(found.get('long')).toMatchObject({ error: expect.stringMatching(/at most 1050 s .* cut it/) })
  })
})

test('clips of any lengths go through the episode together, and each finds what it finds alone', async () => {
  const pieces = [0.3, 0.9, 2.5, 7, 4.4].map((seconds, i) => babble(seconds, 20 + i))
  const samples = joined(babble(1, 1), ...pieces, babble(3, 2), ...pieces.toReversed())
  const episode = await record(folder, 'together', samples)
  const clips = await Promise.all(
    pieces.map(async (piece, i) => [String(i), await record(folder, `piece-${i}`, piece)] as const),
  )
  const together = await searchIn(episode, clips)
  for (const one of clips) {
    const alone = await searchIn(episode, [one])
    expect(together.get(one[0])).toEqual(alone.get(one[0]))
    expect(together.get(one[0])).toMatchObject({ matches: [{ score: 1 }, { score: 1 }] })
  }
})

const samplesOf = ({ from, to }: { readonly from: number; readonly to: number }) => ((to - from) * rate) / 1e9

test('whatever the sounds, nothing that scores is lost and nothing is made up', async () => {
  const sounds = [
    (seed: number, n: number) => babble(n / rate, seed),
    (seed: number, n: number) => tone(n / rate, 100 + (seed % 3500)),
    (seed: number, n: number) =>
      Int16Array.from(
        { length: n },
        (
          (next) => () =>
            (next() - 0.5) * 60_000
        )(chance(seed)),
      ),
    (seed: number, n: number) =>
      Int16Array.from(
        { length: n },
        (
          (next) => () =>
            (next() - 0.5) * 9
        )(chance(seed)),
      ),
    (_: number, n: number) => new Int16Array(n),
  ]
  const piece = fc.tuple(fc.nat(4), fc.nat(1_000_000), fc.integer({ min: 100, max: 4000 }))
  const sound = ([kind, seed, n]: readonly [number, number, number]) => sounds[kind]!(seed, n)
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      piece,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (pieces, own, cut) => {
        const samples = joined(...pieces.map(sound), sound(own), ...pieces.map(sound))
        const length = 800 + Math.floor(cut * 2000)
        const sought = samples.slice(Math.floor(cut * Math.max(0, samples.length - length))).slice(0, length)
        // As in the search: ends of silence are not looked for.
        if (Math.abs(sought[0] ?? 0) <= 2 || Math.abs(sought.at(-1) ?? 0) <= 2 || sought.length < 800) return
        const { samples: heard, lead } = trim(sought)
        const scores = Array.from({ length: samples.length - heard.length + 1 }, (_, i) =>
          scoreOf(heard, samples.subarray(i, i + heard.length)),
        )
        const { matches, bestScore } = await find(samples, sought)
        expect(bestScore).toBeGreaterThan(Math.max(...scores) - 0.005)
        const threshold = thresholdFor(heard.length)
        const placed = matches.map((match) => ({ ...match, place: (match.offset * rate) / 1e9 + lead }))
        const isOfSample = (place: number) => Math.abs(place - Math.round(place)) < 1e-6
        for (const { place, score, part } of placed) {
          expect(score).toBeGreaterThanOrEqual(part ? thresholdFor(samplesOf(part) - lead) : threshold)
          // What begins a little before the episode is told as if it began with it.
          if (part || place === lead) continue
          // Between two samples it scores more than at the nearer one.
          const there = scores[Math.round(place)]!
          if (isOfSample(place)) expect(score).toBe(there)
          else expect(score).toBeGreaterThan(there)
        }
        // Every place that scores is a match, or lies within a clip of one that scores as much.
        const isTold = (place: number, score: number) =>
          placed.some(
            (other) => Math.abs(other.place - place) < heard.length + 64 && other.score > score - 0.01,
          )
        const untold = [...scores.entries()].filter(
          ([place, score]) => score > threshold + 0.001 && !isTold(place, score),
        )
        expect({ untold, told: untold.length > 0 && placed }).toEqual({ untold: [], told: false })
      },
    ),
    {
      numRuns: 40,
      // Clips whose scores rise for long at the border of a tone.
      examples: [
        [[[1, 17_977, 3264]], [0, 0, 1442], 0.062_739_531_582_682_75],
        [[[1, 216_417, 3480]], [0, 0, 100], 0.994_848_981_503_160_8],
        [[[1, 209_546, 3480]], [0, 0, 100], 0.942_628_571_428_571_4],
        // Parts of a tone before the beginning, and all of it a little behind.
        [[[1, 5096, 2518]], [0, 0, 100], 0.792_151_162_790_697_6],
        [[[1, 4619, 2367]], [0, 0, 100], 0.6525],
      ],
    },
  )
})

test('ten hours: memory does not grow with the length', async () => {
  const samples = 10 * 3600 * rate
  const path = join(folder, 'ten-hours.pcm')
  const file = await open(path, 'w')
  await file.truncate(samples * 2)
  await file.write(new Uint8Array(clip.buffer), 0, clip.byteLength, 9 * 3600 * rate * 2)
  await file.close()
  const sought = await record(folder, 'ten-hours-clip', clip)
  const before = process.memoryUsage()
  let most = 0
  let breaths = 0
  const breathe = async () => {
    if (breaths++ % 50 > 0) return
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    most = Math.max(most, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed)
  }
  const found: (Finding | SearchFailure)[] = []
  for await (const outcome of searchGroup(
    fourier,
    recordingAt(path, samples),
    [{ id: 'clip', recording: sought }],
    breathe,
  ))
    found.push(outcome)
  expect(found).toEqual([{ clip: 'clip', matches: [{ offset: nanos(9 * 3600), score: 1 }], bestScore: 1 }])
  expect(most).toBeLessThan(100 * 1024 * 1024)
})
