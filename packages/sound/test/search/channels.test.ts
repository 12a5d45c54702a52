import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDifferingChannels } from '../../src/decode/differing-channels.ts'
import type { DifferingStretch } from '../../src/decode/tracks.ts'
import type { Pcm } from '../../src/search/finding.ts'
import { createFourier, type Fourier } from '../../src/search/fourier.ts'
import { searchGroup } from '../../src/search/search-group.ts'
import { rate } from '../../src/search/settings.ts'
import { babble, joined, louder, nanos, over, record, silent } from './sounds.ts'

let folder: string
let fourier: Fourier
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-channels-'))
  fourier = await createFourier()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let names = 0
/** A recording as the decoder writes it: the mix, and behind it what channels have beside it. */
const recordChannels = async (...channels: readonly Int16Array[]): Promise<Pcm> => {
  const differing: DifferingStretch[] = []
  const tracks: number[] = []
  const splitter = createDifferingChannels(rate, ({ from, channels: count, tracks: found }) => {
    const to = from + found[0]!.length
    const last = differing.at(-1)
    if (last?.to === from) differing.splice(-1, 1, { ...last, to })
    else differing.push({ from, to, channels: count })
    for (let i = 0; i < to - from; i++) tracks.push(...found.map((track) => track[i]!))
  })
  const floats = channels.map((channel) => Float32Array.from(channel, (x) => x / 32_768))
  const length = channels[0]!.length
  for (let at = 0; at < length; at += 4000)
    splitter.push({ rate, channels: floats.map((channel) => channel.subarray(at, at + 4000)) }, at / rate)
  splitter.end()
  const mix = Int16Array.from({ length }, (_, i) =>
    Math.round(channels.reduce((sum, channel) => sum + channel[i]!, 0) / channels.length),
  )
  const pcm = await record(folder, `recording-${names++}`, joined(mix, Int16Array.from(tracks)))
  return { ...pcm, samples: length, ...(differing.length > 0 && { differing }) }
}

const find = async (episode: Pcm, recording: Pcm) => {
  const found = []
  for await (const outcome of searchGroup(fourier, episode, [{ id: 'clip', recording }], async () => {})) {
    if ('error' in outcome) throw new Error(outcome.error)
    found.push(outcome)
  }
  return found[0]!
}
const upsideDown = (sound: Int16Array) => louder(sound, -1)

const clip = babble(1.5, 7)
const at = 12.3
const withClip = joined(babble(at, 1), clip, babble(20, 2))
const other = babble(withClip.length / rate, 3)
const none = silent(withClip.length / rate)
/** In phase, with the clip upside down in the second channel. */
const beside = (sign: 1 | -1) =>
  over(babble(withClip.length / rate, 4), joined(silent(at), louder(clip, sign), silent(20)))

test.each([
  ['in both channels', [withClip, withClip]],
  ['in both, one upside down', [withClip, upsideDown(withClip)]],
  ['in the first, silence in the second', [withClip, none]],
  ['in the second, silence in the first', [none, withClip]],
  ['in the first, another programme in the second', [withClip, other]],
  ['in the second, another programme four times as loud in the first', [louder(other, 4), withClip]],
  ['upside down in one channel alone', [other, upsideDown(withClip)]],
  ['in phase opposite to the rest', [beside(1), beside(-1)]],
  ['in one of four', [other, babble(40, 8).subarray(0, other.length), withClip, louder(other, 2)]],
  ['in three, of which one is upside down', [withClip, upsideDown(withClip), none]],
])('a clip %s is found, once, at its place', async (_, channels) => {
  const { matches } = await find(await recordChannels(...channels), await recordChannels(clip))
  expect(matches).toEqual([{ offset: expect.closeTo(nanos(at), -4), score: expect.closeTo(1, 0) }])
})

test('channels that come to differ within the clip', async () => {
  const turned = withClip.map((x, i) => (i < (at + 0.7) * rate ? x : -x))
  const { matches } = await find(await recordChannels(withClip, turned), await recordChannels(clip))
  expect(matches).toEqual([{ offset: nanos(at), score: expect.closeTo(1, 2) }])
})

test.each([
  ['upside down in one channel', [clip, upsideDown(clip)]],
  ['beside something else', [babble(1.5, 30), clip]],
])('a clip whose own recording has it %s', async (_, channels) => {
  const sought = await recordChannels(...channels)
  const { matches } = await find(await recordChannels(withClip), sought)
  expect(matches).toEqual([{ offset: nanos(at), score: expect.closeTo(1, 2) }])
})

test('what is in no channel is not found in any', async () => {
  const { matches, silent: isSilent } = await find(
    await recordChannels(other, babble(40, 9).subarray(0, other.length)),
    await recordChannels(clip),
  )
  expect({ matches, isSilent }).toEqual({ matches: [], isSilent: undefined })
})

test('silence in every channel is reported; sound whose mix is silence is none', async () => {
  const sought = await recordChannels(clip)
  expect(await find(await recordChannels(none, none), sought)).toMatchObject({
    matches: [],
    silent: 'episode',
    note: 'the episode is silent',
  })
  const heard = await find(await recordChannels(other, upsideDown(other)), sought)
  expect(heard.silent).toBeUndefined()
  expect(await find(await recordChannels(other), await recordChannels(none.subarray(0, 9000)))).toMatchObject(
    { silent: 'clip', note: 'the clip is silent' },
  )
})

test('a recording whose tracks are missing is refused', async () => {
  const episode = await recordChannels(withClip, upsideDown(withClip))
  await using file = await open(episode.path, 'r+')
  await file.truncate(episode.samples * 2)
  await expect(find(episode, await recordChannels(clip))).rejects.toThrow(/fetch and decode it again/)
})
