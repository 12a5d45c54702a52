import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countBits, holdsBit, withBit, withoutBit } from '#src/projections/research/bits.ts'
import {
  bitmapOf,
  countCommon,
  has,
  setOf,
  tallyBitmaps,
  union,
} from '#src/projections/research/questions/bitmap.ts'

const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 40 })
const textOf = (some: readonly number[]) => some.reduce(withBit, '')

describe('a set of numbers as base64', () => {
  it('is the bitmap it says it is: least significant bit first', () => {
    expect(textOf([])).toBe('')
    expect([...Buffer.from(textOf([0, 9]), 'base64')]).toEqual([1, 2, 0])
    expect([...Buffer.from(textOf([31]), 'base64')]).toEqual([0, 0, 0, 128, 0, 0])
  })

  it('holds what was put in and not taken out; equal sets are equal texts, however they came about', () => {
    fc.assert(
      fc.property(numbers, numbers, (some, others) => {
        const left = some.filter((n) => !others.includes(n))
        const bits = others.reduce(withoutBit, textOf(some))
        expect(bits).toBe(textOf([...left].sort((a, b) => b - a)))
        expect(countBits(bits)).toBe(left.length)
        for (const n of [...some, ...others, 500]) expect(holdsBit(bits, n)).toBe(left.includes(n))
      }),
    )
  })

  it('is counted as bytes and words in memory', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 6 }), numbers, (sets, mask) => {
        const bitmaps = sets.map((set) => bitmapOf(textOf(set)))
        const tally = tallyBitmaps(201)
        for (const one of bitmaps) tally.add(one)
        const all = union(bitmaps)
        for (let n = 0; n <= 200; n++) {
          const times = sets.filter((set) => set.includes(n)).length
          expect(tally.countOf(n)).toBe(times)
          expect(has(all, n)).toBe(times > 0)
        }
        expect(countCommon(all, setOf(mask))).toBe(mask.filter((n) => has(all, n)).length)
      }),
    )
  })
})
