import { expect, test } from 'vitest'
import { createDifferingChannels, type DifferingChannels } from '../../src/decode/differing-channels.ts'
import { tone } from './tones.ts'

const given = 44_100
const rate = 8000

/** Where channels differ, in seconds, and what the tracks are. */
const differing = (...channels: readonly Float32Array[]) => {
  const found: DifferingChannels[] = []
  const differ = createDifferingChannels(rate, (one) => found.push(one))
  const pieces = 4096
  const length = channels[0]!.length
  for (let at = 0; at < length; at += pieces)
    differ.push(
      { rate: given, channels: channels.map((channel) => channel.subarray(at, at + pieces)) },
      at / given,
    )
  differ.end()
  const tracks = found[0]?.tracks.map((_, k) => found.flatMap(({ tracks }) => [...tracks[k]!])) ?? []
  return { from: found[0] && found[0].from / rate, count: found[0]?.channels, tracks }
}
const silence = (seconds: number) => new Float32Array(given * seconds)
const times = (sound: Float32Array, factor: number) => sound.map((x) => x * factor)
const a = tone(given, 2, 700)
const b = tone(given, 2, 450)

test.each([
  ['the same twice', [a, a]],
  ['one louder than the other', [a, times(a, 0.3)]],
  ['sound on one side alone', [silence(2), a]],
  ['silence', [silence(2), silence(2)]],
  ['what differs by one step of 16 bits', [a, a.map((x, i) => x + (i % 2) / 32_768)]],
  ['three of the same', [a, times(a, 0.5), a]],
  ['one channel', [a]],
])('channels agree: %s', (_, channels) => {
  expect(differing(...channels)).toEqual({ from: undefined, count: undefined, tracks: [] })
})

test('one upside down: half the difference is the sound', () => {
  const { from, count, tracks } = differing(a, times(a, -1))
  expect({ from, count, tracks: tracks.length }).toEqual({ from: 0, count: 2, tracks: 1 })
  expect(tracks[0]!.length).toBe(2 * rate)
  for (let k = 100; k < 15_900; k += 7)
    expect(tracks[0]![k]! / 32_768).toBeCloseTo(0.5 * Math.sin((2 * Math.PI * 700 * k) / rate), 2)
})

test('a stretch begins where the channels begin to differ, and has its place in the mix', () => {
  const late = silence(5)
  late.set(a, given * 3)
  const same = tone(given, 5, 450)
  const { from, tracks } = differing(
    same,
    same.map((x, i) => x / 2 + late[i]! / 2),
  )
  expect(from).toBeCloseTo(3, 0)
  expect(from! * rate + tracks[0]!.length).toBe(5 * rate)
})

test('of more than two, each is a track', () => {
  const { count, tracks } = differing(a, b, silence(2))
  expect({ count, tracks: tracks.length }).toEqual({ count: 3, tracks: 3 })
  expect(Math.max(...tracks[2]!)).toBe(0)
  expect(tracks[0]![1003]! / 32_768).toBeCloseTo(0.5 * Math.sin((2 * Math.PI * 700 * 1003) / rate), 2)
})
