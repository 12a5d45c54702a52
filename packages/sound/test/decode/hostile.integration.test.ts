import { describe, expect, test } from 'vitest'
import { crc8, crc16, crc32 } from '../../src/decode/crc.ts'
import { decodedWithGaps } from './decoded.ts'
import { flac } from './flac.ts'
import { burst, vorbis } from './tones.ts'

/* What a file states of its own lengths and rates may be anything: time and memory stay bounded. */

const days = 48 * 3600
const sound = burst(44_100, 4, 1)

/** The stream states no length, and its second frame the greatest number that there is. */
const farFrame = (): Buffer => {
  const bytes = flac(44_100, [sound])
  bytes.fill(0, 22, 26)
  bytes[21]! &= 0xf0
  const second = bytes.indexOf(Buffer.from([0xff, 0xf8, 0x79, 0x08, 1]))
  const third = bytes.indexOf(Buffer.from([0xff, 0xf8, 0x79, 0x08, 2]))
  const head = Buffer.concat([
    bytes.subarray(second, second + 4),
    Buffer.from([0xfe, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf, 0xbf]),
    bytes.subarray(second + 5, second + 7),
  ])
  const frame = Buffer.concat([
    head,
    Buffer.from([crc8(head, 0, head.length)]),
    bytes.subarray(second + 8, third - 2),
  ])
  const sum = Buffer.alloc(2)
  sum.writeUInt16BE(crc16(0, frame, 0, frame.length))
  return Buffer.concat([bytes.subarray(0, second), frame, sum, bytes.subarray(third)])
}

/** Changes a page of Ogg, and its checksum with it. */
const withPage = (bytes: Buffer, index: number, change: (page: Buffer) => void): Buffer => {
  let at = 0
  const sizeAt = (from: number) =>
    bytes
      .subarray(from + 27, from + 27 + bytes[from + 26]!)
      .reduce((sum, size) => sum + size, 27 + bytes[from + 26]!)
  for (let i = 0; i < index; i++) at += sizeAt(at)
  const page = bytes.subarray(at, at + sizeAt(at))
  change(page)
  page.writeUInt32LE(0, 22)
  page.writeUInt32LE(crc32(page), 22)
  return bytes
}

describe('11: a place that no sound can have is refused before time is spent on the way to it', () => {
  test('a frame of FLAC that bears the number of a sample years away', async () => {
    await expect(decodedWithGaps(farFrame(), days)).rejects.toThrow(
      'is damaged: it places sound beyond 48 hours; fetch or export it again',
    )
  })

  test('a page of Ogg that states 2 to the 50th', async () => {
    const bytes = withPage(await vorbis(44_100, [burst(44_100, 20, 1)]), 4, (page) =>
      page.writeBigInt64LE(2n ** 50n, 6),
    )
    await expect(decodedWithGaps(bytes, days)).rejects.toThrow(
      'is damaged: it places sound beyond 48 hours; fetch or export it again',
    )
  })
})

test.each([1, 500_009])('11: Vorbis that states a rate of %i Hz is refused', async (rate) => {
  const bytes = withPage(await vorbis(44_100, [sound]), 0, (page) => page.writeUInt32LE(rate, 28 + 12))
  await expect(decodedWithGaps(bytes, days)).rejects.toThrow(
    `holds sound at ${rate} Hz, which is not supported; export it again`,
  )
})

const wave = (rate: number, samples: number, size = samples * 2): Buffer => {
  const head = Buffer.alloc(80)
  head.write('RF64\xff\xff\xff\xffWAVEds64', 'latin1')
  head.writeUInt32LE(28, 16)
  head.writeBigUInt64LE(BigInt(size), 28)
  head.write('fmt ', 48)
  head.writeUInt32LE(16, 52)
  head.writeUInt16LE(1, 56)
  head.writeUInt16LE(1, 58)
  head.writeUInt32LE(rate, 60)
  head.writeUInt32LE(rate * 2, 64)
  head.writeUInt16LE(2, 68)
  head.writeUInt16LE(16, 70)
  head.write('data\xff\xff\xff\xff', 72, 'latin1')
  const data = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i++) data.writeInt16LE((i % 100) * 100, i * 2)
  return Buffer.concat([head, data])
}

test('10: RF64 that states centuries ends where its bytes end; what it states is no length', async () => {
  const { samples, gaps } = await decodedWithGaps(wave(8000, 16_000, 2 ** 40), days)
  expect(samples).toHaveLength(16_000)
  expect(gaps).toEqual([])
})

test('10: files joined of ever other rates are refused', async () => {
  const parts = Array.from({ length: 30 }, (_, i) => wave(8009 + 2 * i, 10))
  await expect(decodedWithGaps(Buffer.concat(parts), days)).rejects.toThrow(
    'changes its sample rate too often; export it again',
  )
})
