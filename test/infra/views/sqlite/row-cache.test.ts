import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRowCache, type Entry } from '#infra/views/sqlite/row-cache.ts'

const rowOf = (id: number, text: string) => ({ id, text, parts: { text } })

/** Bytes that a cache has for one row, found alone. */
const alone = (text: string): number => {
  const cache = createRowCache()
  cache.find([1])
  cache.add(rowOf(1, text))
  return cache.bytes()
}

describe('bytes of rows in memory', () => {
  it('are those of each row, as it was added or last written, until the row is dropped', () => {
    const use = fc.record({
      id: fc.nat(8),
      characters: fc.nat(500),
      isTrimmed: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), (uses) => {
        const cache = createRowCache()
        // The model: halves of recent and older rows.
        let recent = new Map<number, string>()
        let older = new Map<number, string>()
        for (const { id, characters, isTrimmed } of uses) {
          const text = 'x'.repeat(characters)
          const entry: Entry = cache.find([id]) ?? cache.add(rowOf(id, 'new'))
          entry.row = rowOf(id, text)
          cache.weigh(entry)
          older.delete(id)
          recent.set(id, text)
          if (isTrimmed) {
            cache.trim()
            older = recent
            recent = new Map()
          }
          const kept = [...recent.values(), ...older.values()]
          expect(cache.bytes()).toBe(kept.reduce((sum, one) => sum + alone(one), 0))
        }
      }),
    )
  })

  it('a row weighs at least its texts, wherever they are in it', () => {
    expect(alone('x'.repeat(10_000)) - alone('')).toBe(20_000)
  })
})
