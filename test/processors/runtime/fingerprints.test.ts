import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprints } from '#src/processors/runtime/fingerprints.ts'

const causeOf = (n: number) =>
  `fonds://researcher@host/1#01a20101-764c-7493-803b-${String(n).padStart(12, '0')}`

describe('texts by their fingerprints', () => {
  test('a set holds what was added, and nothing else', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 300 }), fc.nat(300), (texts, added) => {
        const set = fingerprints(texts.slice(0, added >> 1))
        for (const text of texts.slice(0, added)) set.add(text)
        expect(texts.map(set.has)).toEqual(texts.map((_, i) => i < added))
      }),
    ))

  test('ids that differ by a digit are told apart', () => {
    const set = fingerprints()
    for (let n = 0; n < 20_000; n++) set.add(causeOf(n))
    for (let n = 0; n < 20_000; n++) if (!set.has(causeOf(n))) expect.fail(causeOf(n))
    for (let n = 20_000; n < 40_000; n++) if (set.has(causeOf(n))) expect.fail(causeOf(n))
  })
})
