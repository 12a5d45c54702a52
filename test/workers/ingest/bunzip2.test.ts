import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { bunzip2, pieceBytes } from '#src/workers/ingest/unpack/bzip2/bunzip2.ts'
import { runs } from '../../runs.ts'
import { kept } from './bzip2-files.ts'

const chunksOf = (bytes: Uint8Array, length = 7) => {
  let at = 0
  const next = () => {
    at += length
    return at - length < bytes.length ? bytes.subarray(at - length, at) : undefined
  }
  return { next, taken: () => at }
}
const unpacked = (bytes: Uint8Array, length?: number) =>
  Buffer.concat([...bunzip2(chunksOf(bytes, length).next)])

it.each(Object.entries(kept))('%s of bzip2 is read as bzip2 reads it', (_, { packed, holds }) => {
  expect(unpacked(packed, 1).equals(holds)).toBe(true)
  expect(unpacked(packed, 4096).equals(holds)).toBe(true)
})

it('several streams are read one behind the other, also where blocks have other lengths', () => {
  const { text, runs, nothing } = kept
  const all = [text, nothing, runs, text]
  const read = unpacked(Buffer.concat(all.map(({ packed }) => packed)))
  expect(read.equals(Buffer.concat(all.map(({ holds }) => holds)))).toBe(true)
})

it('what is not asked for is not unpacked: no piece is over 64 KiB, and of the file only the block under way is read', () => {
  const { packed } = kept.runs
  const streams = Buffer.concat(Array.from({ length: 50 }, () => packed))
  const { next, taken } = chunksOf(streams)
  const pieces = bunzip2(next)
  const first = pieces.next().value
  expect(first?.length).toBe(pieceBytes)
  expect(taken()).toBeLessThanOrEqual(packed.length + 7)
  pieces.return(undefined)
})

it('cut anywhere, or with something else behind it, it is refused', () => {
  const { packed } = kept.text
  for (let length = 0; length < packed.length; length++)
    expect(() => unpacked(packed.subarray(0, length)), `${length} bytes`).toThrow(
      /^its bzip2 data ends too early$/,
    )
  expect(() => unpacked(Buffer.concat([packed, Buffer.from('else')]))).toThrow('has something else behind it')
})

it('with any bit changed it is refused with a sentence', () => {
  const { packed, holds } = kept.text
  const bits = fc.integer({ min: 0, max: packed.length * 8 - 1 })
  fc.assert(
    fc.property(bits, (bit) => {
      const changed = Buffer.from(packed)
      changed[bit >> 3]! ^= 128 >> (bit & 7)
      try {
        // Padding, and an unused entry of a table, say nothing.
        expect(unpacked(changed).equals(holds)).toBe(true)
      } catch (error) {
        if (!(error instanceof Error) || !/bzip2/.test(error.message)) throw error
      }
    }),
    { numRuns: runs(300) },
  )
})
