import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { begins, decoded, decodedWithGaps } from './decoded.ts'
import { flac } from './flac.ts'
import { burst, chunk, id3, mp3, opus, vorbis, wav, xing } from './tones.ts'

/* A file ends where its bytes end, not where its first header says. */

const layer2 = () => readFile(new URL('fixtures/burst.mp2', import.meta.url))

describe('files joined to one are heard to the end', () => {
  const sound = burst(44_100, 4, 1)

  test('mp3, each with the tag of its encoder, of which players leave out nothing in the second (mpg123 1.31.2)', async () => {
    const frames = Math.ceil((sound.length + 1105) / 1152)
    const bytes = await mp3(44_100, [sound])
    const one = Buffer.concat([xing(bytes, frames, 576, frames * 1152 - 576 - sound.length), bytes])
    const { samples, gaps } = await decodedWithGaps(Buffer.concat([one, one]))
    // The frame of the tag, and what encoder and decoder put before the sound.
    const more = (1152 + 576 + 529) / 44_100
    expect(begins(samples)).toEqual([expect.closeTo(1, 2), expect.closeTo(5 + more, 2)])
    expect(gaps).toEqual([])
  })

  test('mp3 with descriptions at both ends of each: ID3v2, Lyrics3, APE, ID3v1', async () => {
    const ape = Buffer.alloc(32 + 5000 + 32, 0xff)
    for (const [at, flags] of [
      [0, 0xa000_0000],
      [5032, 0x8000_0000],
    ] as const) {
      ape.write('APETAGEX', at, 'latin1')
      ape.writeUInt32LE(2000, at + 8)
      ape.writeUInt32LE(5032, at + 12)
      ape.writeUInt32LE(0, at + 16)
      ape.writeUInt32LE(flags, at + 20)
    }
    const lyrics = Buffer.from(`LYRICSBEGIN${'la '.repeat(700)}002111LYRICS200`)
    const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
    const one = Buffer.concat([id3(3000), await mp3(44_100, [sound]), lyrics, ape, id3v1])
    const { samples, gaps } = await decodedWithGaps(Buffer.concat([one, one]))
    expect(begins(samples)).toEqual([expect.closeTo(1, 2), expect.closeTo(5.04, 1)])
    expect(gaps).toEqual([])
  })

  test.each([
    ['FLAC (flac 1.4.2 -F)', async () => flac(44_100, [sound], { picture: 9000 })],
    [
      'FLAC with ID3v1 behind it',
      async () => Buffer.concat([flac(44_100, [sound]), Buffer.alloc(128, 'TAG')]),
    ],
    ['Ogg Vorbis (ffmpeg 5.1.9)', async () => vorbis(44_100, [sound])],
    ['Ogg Opus (ffmpeg 5.1.9)', async () => opus([burst(48_000, 4, 1)])],
    ['WAVE', async () => wav(44_100, [sound])],
    [
      'WAVE with a chunk behind it',
      async () => Buffer.concat([wav(44_100, [sound]), chunk('LIST', Buffer.alloc(9001))]),
    ],
  ])('%s: each follows the other', async (_, make) => {
    const one = await make()
    const { samples, gaps } = await decodedWithGaps(Buffer.concat([one, one]))
    expect(begins(samples)).toEqual([expect.closeTo(1, 2), expect.closeTo(5, 2)])
    expect(samples.length).toBe(64_000)
    expect(gaps).toEqual([])
  })
})

describe('WAVE whose header does not know its length (sox 14.4.2 and ffmpeg 5.1.9 read to the end)', () => {
  const sound = burst(44_100, 4, 3)
  const sizes = [0, 0x7fff_ffff, 0x7fff_f000, 0x7fff_ffdb, 0x8000_0000, 0xffff_ffff, 0xffff_ffd3]
  test.each(sizes)('%i bytes, by programs that write to a pipe: no gap', async (size) => {
    const { samples, gaps } = await decodedWithGaps(wav(44_100, [sound], { bits: 16, size }))
    expect(begins(samples)).toEqual([expect.closeTo(3, 2)])
    expect(samples.length).toBe(32_000)
    expect(gaps).toEqual([])
  })

  test('more than is there: what is there is heard, and that the rest is missing is told', async () => {
    const size = 10 * 44_100 * 2
    const { samples, gaps } = await decodedWithGaps(wav(44_100, [sound], { bits: 16, size }))
    expect(samples.length).toBe(32_000)
    expect(gaps).toEqual([{ at: expect.closeTo(4, 6), seconds: expect.closeTo(6, 6) }])
  })

  test('less than is there, as behind 4 GiB, where no chunk follows', async () => {
    const samples = await decoded(wav(44_100, [sound], { bits: 16, size: 44_100 }))
    expect(begins(samples)).toEqual([expect.closeTo(3, 2)])
  })

  test('what stands behind the sound is no sound', async () => {
    const rest = chunk('id3 ', Buffer.alloc(50_000, 0x55))
    const samples = await decoded(Buffer.concat([wav(44_100, [sound]), rest]))
    expect(samples.length).toBe(32_000)
  })

  test('a wrong length of a chunk before the sound does not hide it', async () => {
    const before = chunk('LIST', Buffer.alloc(100), 0x00ff_ffff)
    const samples = await decoded(wav(44_100, [sound], { bits: 16, before }))
    expect(begins(samples)).toEqual([expect.closeTo(3, 2)])
  })
})

describe('MPEG audio of broadcasters', () => {
  test('layer 2 of twolame 0.4.0: sound where it was before encoding (mpg123 1.31.2 begins 481 samples later)', async () => {
    const { samples, gaps } = await decodedWithGaps(await layer2())
    expect(begins(samples)).toEqual([expect.closeTo(1, 2)])
    expect(gaps).toEqual([])
  })

  test('layer 2, one file behind the other', async () => {
    const bytes = await layer2()
    const found = begins(await decoded(Buffer.concat([bytes, bytes])))
    expect(found).toEqual([expect.closeTo(1, 2), expect.closeTo(3.03, 1)])
  })

  test.each([0x50, 0x55])('in WAVE, format tag %i', async (tag) => {
    const bytes = tag === 0x50 ? await layer2() : await mp3(44_100, [burst(44_100, 2, 1)])
    const format = Buffer.alloc(40)
    format.writeUInt16LE(tag, 0)
    format.writeUInt16LE(1, 2)
    format.writeUInt32LE(44_100, 4)
    format.writeUInt32LE(7000, 8)
    format.writeUInt16LE(182, 12)
    const riff = Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1')
    const bext = chunk('bext', Buffer.alloc(602, 0xff))
    for (const size of [bytes.length, 0xffff_ffff]) {
      const file = Buffer.concat([riff, bext, chunk('fmt ', format), chunk('data', bytes, size)])
      expect(begins(await decoded(file))).toEqual([expect.closeTo(1, 2)])
    }
  })

  test('layer 1', async () => {
    // 384 samples of silence: 192 kbit/s at 48 kHz, no sub-band has bits.
    const frame = Buffer.alloc(192)
    frame.writeUInt32BE(0xffff_64c0)
    const samples = await decoded(Buffer.concat(Array<Buffer>(250).fill(frame)))
    expect(samples.length / 8000).toBeCloseTo(2, 1)
  })
})
