import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { crc8 } from '../../src/decode/crc.ts'
import type { Gap } from '../../src/decode/gaps.ts'
import { babble, chance } from '../search/sounds.ts'
import { begins, decodedWithGaps } from './decoded.ts'
import { flac } from './flac.ts'
import { burst, id3, mp3, oggPage, opus, vorbis, xing } from './tones.ts'

/*
 * Damage costs what it damages, and what is behind it stays at its place. Judges: flac 1.4.2 -F (silence of the length
 * of lost frames), ffmpeg 5.1.9 and sox 14.4.2 (which lose the frame, and its time).
 */

/** A burst at 5 s of 6, with something quiet all the time, so that frames differ. */
const sound = (rate: 44_100 | 48_000): Float32Array => {
  const noise = babble(6, 1, 600)
  return burst(rate, 6, 5).map((value, i) => value + noise[Math.floor((i * 8000) / rate)]! / 32_768)
}

const withTag = async (how: Parameters<typeof mp3>[2]): Promise<Buffer> => {
  const samples = sound(44_100)
  const bytes = await mp3(44_100, [samples], how)
  const frames = Math.ceil((samples.length + 1105) / 1152)
  return Buffer.concat([xing(bytes, frames, 576, frames * 1152 - 576 - samples.length), bytes])
}

/** Ogg FLAC: each frame in a page. */
const oggFlac = (): Buffer => {
  const file = flac(44_100, [sound(44_100)])
  const mapping = Buffer.concat([Buffer.from('\x7fFLAC\x01\0\0\0', 'latin1'), file.subarray(0, 42)])
  const pages = [oggPage(mapping, 0, 0, 2)]
  const frameBytes = 4096 * 2 + 12
  for (let at = 42, n = 1; at < file.length; n++) {
    const bytes = n <= 128 ? frameBytes - 1 : frameBytes
    const isLast = at + bytes >= file.length
    pages.push(oggPage(file.subarray(at, at + bytes), n, Math.min(n * 4096, 264_600), isLast ? 4 : 0))
    at += bytes
  }
  return Buffer.concat(pages)
}

const kinds: readonly (readonly [string, () => Promise<Buffer>, number])[] = [
  ['mp3 of one bit rate', () => withTag({ bitrate: 64 }), 0.027],
  ['mp3 of several bit rates', () => withTag({ vbrQuality: 4 }), 0.027],
  ['FLAC', async () => flac(44_100, [sound(44_100)]), 0.001],
  ['Ogg Vorbis', () => vorbis(44_100, [sound(44_100)]), 0.027],
  ['Ogg Opus', async () => opus([sound(48_000)]), 0.021],
  ['Ogg FLAC', async () => oggFlac(), 0.001],
]

/** What one wrong byte may cost at most: a frame of FLAC, a page of Ogg. */
const leastUnit: Readonly<Record<string, number>> = { 'Ogg Vorbis': 1.5, 'Ogg Opus': 0.05 }

const total = (gaps: readonly Gap[]): number => gaps.reduce((sum, { seconds }) => sum + seconds, 0)

describe.each(kinds)('%s', (name, make, tolerance) => {
  const isAtItsPlace = (samples: Int16Array) => {
    const found = begins(samples)
    expect(found).toHaveLength(1)
    expect(Math.abs(found[0]! - 5)).toBeLessThan(tolerance + 0.005)
    expect(Math.abs(samples.length / 8000 - 6)).toBeLessThan(0.05)
  }

  test('one wrong byte, wherever it is', async () => {
    const bytes = await make()
    const next = chance(7)
    for (let n = 0; n < 12; n++) {
      const bad = Buffer.from(bytes)
      const at = Math.floor(bytes.length * (0.2 + 0.5 * next()))
      bad[at] = bad[at]! ^ 0xff
      const { samples, gaps } = await decodedWithGaps(bad)
      isAtItsPlace(samples)
      expect(total(gaps)).toBeLessThanOrEqual(leastUnit[name] ?? 0.1)
    }
  })

  test('a stretch of zeros: silence of its length, which is told', async () => {
    const bytes = await make()
    const [from, to] = [Math.floor(bytes.length * 0.3), Math.floor(bytes.length * 0.5)]
    bytes.fill(0, from, to)
    const { samples, gaps } = await decodedWithGaps(bytes)
    isAtItsPlace(samples)
    expect(gaps).toHaveLength(1)
    expect(gaps[0]!.at).toBeGreaterThan(0.4)
    expect(gaps[0]!.at + gaps[0]!.seconds).toBeLessThan(4.9)
    expect(gaps[0]!.seconds).toBeGreaterThan(0.5)
  })
})

describe('bytes that are not there', () => {
  test.each([
    ['FLAC', async () => flac(44_100, [sound(44_100)])],
    ['Ogg FLAC', async () => oggFlac()],
    ['Ogg Vorbis', () => vorbis(44_100, [sound(44_100)])],
    ['Ogg Opus', async () => opus([sound(48_000)])],
  ])('%s: numbers of frames and positions of pages show how much', async (_, make) => {
    const bytes = await make()
    const [from, to] = [Math.floor(bytes.length * 0.3), Math.floor(bytes.length * 0.5)]
    const { samples, gaps } = await decodedWithGaps(
      Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
    )
    expect(begins(samples)).toEqual([expect.closeTo(5, 1)])
    expect(gaps).toHaveLength(1)
  })

  test.each([
    ['mp3', () => withTag({ bitrate: 64 })],
    ['FLAC', async () => flac(44_100, [sound(44_100)])],
  ])('%s cut off in its second half: what is there is heard, and the rest is told', async (_, make) => {
    const bytes = await make()
    const { samples, gaps } = await decodedWithGaps(bytes.subarray(0, bytes.length * 0.75))
    const end = samples.length / 8000
    expect(end).toBeGreaterThan(4.3)
    expect(end).toBeLessThan(4.6)
    expect(gaps).toEqual([{ at: expect.closeTo(end, 2), seconds: expect.closeTo(6 - end, 1) }])
  })

  test('Ogg recorded from within a stream begins with what was recorded', async () => {
    const bytes = await vorbis(44_100, [sound(44_100)])
    const pages = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index)
    const later = pages[Math.floor(pages.length / 2)]
    const { samples, gaps } = await decodedWithGaps(
      Buffer.concat([bytes.subarray(0, pages[2]), bytes.subarray(later)]),
    )
    expect(samples.length / 8000).toBeLessThan(5)
    expect(gaps).toEqual([])
  })
})

describe('damage before the sound', () => {
  test('FLAC whose stream information, or the length of a picture, is wrong', async () => {
    const bytes = flac(44_100, [sound(44_100)], { picture: 5000 })
    for (const at of [8, 10, 20, 30, 43, 45]) {
      const bad = Buffer.from(bytes)
      bad[at] = bad[at]! ^ 0x55
      const { samples } = await decodedWithGaps(bad)
      expect(begins(samples)).toEqual([expect.closeTo(5, 2)])
    }
  })

  test('Ogg Vorbis with a wrong byte in a comment, beside which the setup stands', async () => {
    const bytes = await vorbis(44_100, [sound(44_100)])
    bytes[bytes.indexOf('vorbis', bytes.indexOf('OggS', 4)) + 12]! ^= 0x20
    const { samples, gaps } = await decodedWithGaps(bytes)
    expect(begins(samples)).toEqual([expect.closeTo(5, 2)])
    expect(gaps).toEqual([])
  })
})

test('a description between joined files that states to be longer than the file: what may be sound behind it is told', async () => {
  const one = await mp3(44_100, [sound(44_100)], { bitrate: 128 })
  const tag = id3(100)
  tag.writeUInt8(1, 6)
  const { samples, gaps } = await decodedWithGaps(Buffer.concat([one, tag, one]))
  expect(samples.length / 8000).toBeCloseTo(6, 0)
  expect(gaps).toEqual([{ at: expect.closeTo(6, 0), seconds: expect.any(Number) }])
  expect(gaps[0]!.seconds).toBeGreaterThan(3)
  const right = await decodedWithGaps(Buffer.concat([one, id3(100_000), one]))
  expect(begins(right.samples)).toHaveLength(2)
  expect(right.gaps).toEqual([])
})

test('layer 2 with zeros in it', async () => {
  const bytes = Buffer.from(await readFile(new URL('fixtures/burst.mp2', import.meta.url)))
  bytes.fill(0, 1500, 4000)
  const { samples, gaps } = await decodedWithGaps(bytes)
  expect(begins(samples)).toEqual([expect.closeTo(1, 2)])
  expect(gaps).toHaveLength(1)
})

test('what is mostly damaged is refused, with how much could be read', async () => {
  const bytes = flac(44_100, [sound(44_100)])
  bytes.fill(0, Math.floor(bytes.length * 0.1), Math.floor(bytes.length * 0.9))
  await expect(decodedWithGaps(bytes)).rejects.toThrow(
    /^is damaged \(\d\.\d s of 6\.0 s can be read\); fetch or export it again$/,
  )
})

test('headers of FLAC that were made to occur everywhere are gone through, and found to be none', async () => {
  // A header of the longest block that there is, with its checksum.
  const header = Buffer.from([0xff, 0xf8, 0x79, 0x7e, 0, 0xff, 0xfe, 0])
  header[7] = crc8(header, 0, 7)
  const bytes = Buffer.concat([flac(44_100, [sound(44_100)]).subarray(0, 42), Buffer.alloc(300_000, header)])
  await expect(decodedWithGaps(bytes)).rejects.toThrow(/fetch or export it again$/)
})
