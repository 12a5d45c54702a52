import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clip } from '../../../src/domain/kernel/clip.ts'
import { decode, Text } from '../../../src/domain/kernel/codecs.ts'
import { invalidMessage } from '../../../src/domain/kernel/invalid-message.ts'

/** UTF-16 units in any order, so that halves of surrogate pairs stand alone. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
})
const clefs = fc.nat(60).map((n) => '𝄞'.repeat(n))

describe('text of a message that goes into a sentence', () => {
  test('is well formed and short, whatever it was and wherever it is cut', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, clefs), fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const clipped = clip(text, longest)
        expect(clipped.isWellFormed()).toBe(true)
        expect(clipped.length).toBeLessThanOrEqual(longest)
        if (text.length <= longest) expect(clipped).toBe(text.toWellFormed())
      }),
    )
  })

  test.each([
    ['𝄞𝄞𝄞', 6, '𝄞𝄞𝄞'],
    ['𝄞𝄞𝄞', 5, '𝄞𝄞…'],
    ['𝄞𝄞𝄞', 4, '𝄞…'],
    ['x𝄞𝄞', 4, 'x𝄞…'],
    ['a\ud800b', 9, 'a\ufffdb'],
  ])('%s within %i: %s', (text, longest, clipped) => expect(clip(text, longest)).toBe(clipped))

  test('what stood in a wrong field is quoted so', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.integer({ min: 30, max: 60 }), (before, clefs) => {
        const found = decode(Text, [`${'x'.repeat(before)}${'𝄞'.repeat(clefs)}`])
        expect(found._tag === 'Left' && found.left.isWellFormed()).toBe(true)
      }),
    )
  })

  test('a sentence about a message and the path in it are well formed', () => {
    fc.assert(
      fc.property(anyText, anyText, (message, path) => {
        const found = invalidMessage('wrong-shape', message, path)
        expect(found.message.isWellFormed()).toBe(true)
        expect((found.path ?? '').isWellFormed()).toBe(true)
      }),
    )
  })
})
