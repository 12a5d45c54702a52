import { describe, expect, test } from 'vitest'
import { begins, decoded } from './decoded.ts'
import { flac } from './flac.ts'
import { burst, chunk, id3, mp3, oggPage, opus, tone, vorbis, wav, wavHead, xing } from './tones.ts'

const power = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + (value / 32_768) ** 2, 0) / samples.length)

const expectBurst = (samples: Int16Array, at: number, seconds: number) => {
  expect(begins(samples)).toEqual([expect.closeTo(at, 2)])
  expect(samples.length / 8000).toBeGreaterThan(seconds - 0.01)
  expect(samples.length / 8000).toBeLessThan(seconds + 0.1)
}

describe('a burst at 3 s is found there', () => {
  const rates = [8000, 22050, 44100, 48000] as const
  test.each(rates)('in mp3 of %i Hz, one channel and two, without a tag', async (rate) => {
    const sound = burst(rate, 6, 3)
    expectBurst(await decoded(await mp3(rate, [sound], { bitrate: 24 })), 3, 6)
    expectBurst(await decoded(await mp3(rate, [sound, sound])), 3, 6)
  })
  test.each(rates)('in Ogg Vorbis of %i Hz, exactly as long', async (rate) => {
    const samples = await decoded(await vorbis(rate, [burst(rate, 6, 3)]))
    expectBurst(samples, 3, 6)
    expect(samples.length).toBe(48_000)
  })
  test.each(rates)('in FLAC of %i Hz, 16 and 24 bits, exactly as long', async (rate) => {
    for (const bits of [16, 24] as const) {
      const samples = await decoded(flac(rate, [burst(rate, 6, 3)], { bits, picture: 100_000 }))
      expectBurst(samples, 3, 6)
      expect(samples.length).toBe(48_000)
    }
  })
  test('in Ogg Opus, exactly as long', async () => {
    const samples = await decoded(opus([burst(48_000, 6, 3)]))
    expectBurst(samples, 3, 6)
    expect(samples.length).toBe(48_000)
  })
  test.each([
    { bits: 8 },
    { bits: 16 },
    { bits: 24 },
    { bits: 32 },
    { bits: 32, float: true },
    { bits: 64, float: true },
    { bits: 24, extensible: true },
    { bits: 32, float: true, extensible: true },
    { bits: 16, large: true },
    { bits: 16, before: chunk('LIST', Buffer.from('odd')) },
    { bits: 16, size: 0xffff_ffff },
    { bits: 16, size: 0 },
  ] as const)('in WAVE: %o', async (format) => {
    for (const rate of [8000, 44_100]) {
      const samples = await decoded(wav(rate, [burst(rate, 6, 3), burst(rate, 6, 3)], format))
      expectBurst(samples, 3, 6)
      expect(samples.length).toBe(48_000)
    }
  })
})

describe('channels and rates', () => {
  test('all channels count alike: what is opposite is silent, what is alone is quieter', async () => {
    const one = tone(44_100, 1, 440)
    const opposite = one.map((value) => -value)
    const silence = new Float32Array(one.length)
    expect(power(await decoded(wav(44_100, [one, opposite])))).toBeLessThan(0.001)
    expect(power(await decoded(wav(44_100, [one, silence])))).toBeCloseTo(0.25 * Math.SQRT1_2, 2)
    expect(power(await decoded(wav(44_100, [one, silence, silence, silence])))).toBeCloseTo(
      0.125 * Math.SQRT1_2,
      2,
    )
  })

  test('what the rate cannot hold is silent, not folded back', async () => {
    expect(power(await decoded(wav(44_100, [tone(44_100, 1, 6000)])))).toBeLessThan(0.002)
    expect(power(await decoded(wav(44_100, [tone(44_100, 1, 3000)])))).toBeCloseTo(0.5 * Math.SQRT1_2, 2)
  })

  test('no drift: after a quarter of an hour at 44.1 kHz a click is where it was', async () => {
    const frames = 44_100 * 900
    const head = wavHead(44_100, 1, frames, { bits: 8 })
    const file = Buffer.alloc(head.length + frames, 128)
    head.copy(file)
    file.fill(250, head.length + 44_100 * 899, head.length + 44_100 * 899 + 4410)
    const samples = await decoded(file)
    expect(samples).toHaveLength(900 * 8000)
    expect(begins(samples)).toEqual([expect.closeTo(899, 3)])
  })

  test('mp3 that changes its rate half-way: each part at its own', async () => {
    const parts = [
      await mp3(44_100, [burst(44_100, 4, 1)]),
      await mp3(24_000, [burst(24_000, 4, 1)], { bitrate: 24 }),
    ]
    const found = begins(await decoded(Buffer.concat(parts)))
    expect(found).toHaveLength(2)
    expect(found[0]).toBeCloseTo(1, 2)
    // The gap that the second file's encoder left is its own, as is the padding of the first.
    expect(found[1]).toBeGreaterThan(4.99)
    expect(found[1]).toBeLessThan(5.2)
  })

  test('Ogg files one behind the other', async () => {
    const parts = [
      await vorbis(44_100, [burst(44_100, 4, 1)], 1),
      await vorbis(22_050, [burst(22_050, 4, 1)], 2),
    ]
    const found = begins(await decoded(Buffer.concat([...parts, opus([burst(48_000, 4, 1)])])))
    expect(found).toEqual([1, 5, 9].map((at) => expect.closeTo(at, 2)))
  })
})

describe('mp3 as it is found', () => {
  test('variable bit-rate, behind two tags with large pictures, with garbage within and behind it', async () => {
    const bytes = await mp3(44_100, [burst(44_100, 6, 3)], { vbrQuality: 4 })
    const half = bytes.subarray(bytes.length / 2)
    const garbage = Buffer.alloc(70_000, 'no sound \xff\xfb ', 'latin1')
    const samples = await decoded(
      Buffer.concat([id3(300_000), id3(5), bytes, garbage, half, id3(100_000), Buffer.alloc(128, 'TAG')]),
    )
    expect(begins(samples)[0]).toBeCloseTo(3, 2)
    expect(samples.length / 8000).toBeGreaterThan(6)
  })

  test("the encoder's tag says what to leave out, at both ends", async () => {
    const sound = burst(44_100, 6, 3)
    const bytes = await mp3(44_100, [sound])
    const frames = Math.ceil((sound.length + 1105) / 1152)
    const padding = frames * 1152 - 576 - sound.length
    const samples = await decoded(Buffer.concat([xing(bytes, frames, 576, padding), bytes]))
    expectBurst(samples, 3, 6)
    expect(samples.length).toBe(48_000)
  })

  test('fewer frames than the tag says: it ends in the middle', async () => {
    const bytes = await mp3(44_100, [burst(44_100, 6, 3)])
    const whole = Buffer.concat([xing(bytes, 231, 576, 500), bytes])
    await expect(decoded(whole.subarray(0, whole.length / 2))).rejects.toThrow(
      /^ends in the middle \(\d\.\d s of 6\.0 s can be read\); fetch or export it again$/,
    )
  })
})

describe('what is no sound', () => {
  const page = Buffer.from('\n<!DOCTYPE html><html><title>Not found</title></html>')
  test.each([
    ['nothing', Buffer.alloc(0), 'is empty; '],
    ['a web page', page, 'is a web page, not audio that can be read; check the address'],
    ['JSON', Buffer.from('{"error": "gone"}'), 'is JSON, not audio that can be read; check the address'],
    [
      'm4a',
      Buffer.from('\0\0\0\x20ftypM4A \0\0', 'latin1'),
      'is MPEG-4 audio (m4a), not audio that can be read; mp3, mp2, WAV,',
    ],
    ['mp4', Buffer.from('\0\0\0\x20ftypisom\0\0', 'latin1'), 'is an MPEG-4 container'],
    ['aac', Buffer.from([0xff, 0xf1, 0x50, 0x80, 2]), 'is AAC'],
    ['theora', oggPage(Buffer.from('\x80theora', 'latin1'), 0, 0, 2), 'is video (Ogg Theora)'],
    ['an ID3 tag alone', Buffer.from('ID3\x04\0\0\0\0\0\0'), 'is nothing but an ID3 tag'],
    ['garbage', Buffer.alloc(200_000, 'garbage'), 'is nothing that is known as audio; mp3, mp2, WAV,'],
    ['zero samples', wavHead(8000, 1, 0, { bits: 16 }), 'holds no sound'],
    [
      'WAVE without data',
      wavHead(8000, 1, 0, { bits: 16 }).subarray(0, 36),
      'holds no sound: it has no data chunk',
    ],
    [
      'WAVE of another coding',
      wavHead(8000, 1, 9, { bits: 8, float: true }),
      'is WAVE of coding 3 with 8 bits',
    ],
    ['FLAC cut off', flac(8000, [tone(8000, 5, 440)]).subarray(0, 40_000), 'ends in the middle'],
  ])('%s', async (_, bytes, why) => {
    await expect(decoded(bytes)).rejects.toThrow(why)
  })

  test('bytes changed anywhere in a file are sound or a sentence, and never the end of the thread', async () => {
    const sound = burst(44_100, 2, 1)
    const good = [await mp3(44_100, [sound]), await vorbis(44_100, [sound]), flac(44_100, [sound])]
    for (const bytes of good)
      for (let seed = 1; seed <= 5; seed++) {
        const bad = Buffer.from(bytes)
        for (let i = 0; i < 50; i++) bad[(i * 7919 * seed + 97 * seed) % bad.length] = (i * seed * 31) % 256
        await decoded(bad).then(
          (samples) => expect(samples.length).toBeLessThan(10 * 8000),
          (error) => expect(error).toBeInstanceOf(Error),
        )
      }
  })

  test('longer than is allowed', async () => {
    await expect(decoded(wav(8000, [tone(8000, 5, 440)]), 3)).rejects.toThrow(
      'is longer than 0 hours; cut it into parts',
    )
  })
})
