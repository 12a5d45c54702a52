import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimatedBytes } from '../src/estimated-bytes.ts'

describe('estimated bytes of a value', () => {
  it('never less than the characters of its texts and the pointers to its parts, where it is small', () => {
    const small = fc.array(fc.string({ maxLength: 40 }), { maxLength: 30 })
    fc.assert(
      fc.property(small, (texts) => {
        const characters = texts.reduce((sum, { length }) => sum + length, 0)
        const bytes = estimatedBytes(texts)
        expect(bytes).toBeGreaterThanOrEqual(characters + 8 * texts.length)
        expect(bytes).toBeLessThanOrEqual(characters + 24 * texts.length + 100)
        expect(estimatedBytes(new Set(texts))).toBeGreaterThanOrEqual(
          [...new Set(texts)].reduce((sum, { length }) => sum + length, 0),
        )
      }),
    )
  })

  it.each([
    ['an array', (texts: readonly string[]) => texts],
    ['an object', (texts: readonly string[]) => Object.fromEntries(texts.entries())],
    ['a set', (texts: readonly string[]) => new Set(texts)],
    ['a map', (texts: readonly string[]) => new Map(texts.map((text) => [text, text]))],
  ])('of %s with 100,000 texts grows with their number, from a look at the first ones', (_, make) => {
    const texts = Array.from({ length: 100_000 }, (_, n) => String(n).padStart(100, '0'))
    const bytes = estimatedBytes(make(texts))
    expect(bytes).toBeGreaterThan(100 * 100_000)
    expect(bytes).toBeLessThan(400 * 100_000)
  })

  it('of binary data is its length, of numbers and nothing the pointer', () => {
    expect(estimatedBytes(new Uint8Array(1000))).toBe(1056)
    expect([1, null, undefined, true].map(estimatedBytes)).toEqual([8, 8, 8, 8])
  })

  it('of a deep value ends', () => {
    let deep: unknown = 'end'
    for (let i = 0; i < 1000; i++) deep = { deep }
    expect(estimatedBytes(deep)).toBeLessThan(64 * 100)
  })
})
