import { expect, it } from 'vitest'
import { decodeFlac } from '../../src/decode/flac.ts'
import type { SoundFile } from '../../src/decode/sound.ts'
import { flac } from './flac.ts'

const frame = 4096

it('a few bytes of FLAC that are much silence are decoded some frames at a time', async () => {
  const samples = 600 * frame
  const bytes = flac(8000, [new Float32Array(samples)], { packed: true })
  expect(bytes.length).toBeLessThan(10_000)
  const file: SoundFile = {
    read: async (length, position) => bytes.subarray(position, position + length),
    start: 0,
    async *bytes() {
      yield bytes
    },
  }
  const pieces: number[] = []
  for await (const piece of decodeFlac(file)) if ('channels' in piece) pieces.push(piece.channels[0]!.length)
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(samples)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(6 * frame)
})
