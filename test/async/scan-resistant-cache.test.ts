import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanResistantCache } from '../../src/async/scan-resistant-cache.ts'
import { runs } from '../runs.ts'

const use = fc.record({
  how: fc.constantFrom('set' as const, 'get' as const, 'delete' as const),
  key: fc.constantFrom(...'abcdefghij'),
})

test('what it has is what was set last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), fc.array(use, { maxLength: 80 }), (capacity, uses) => {
      const cache = scanResistantCache<number>(capacity)
      const truth = new Map<string, number>()
      for (const [i, { how, key }] of uses.entries()) {
        if (how === 'get') {
          const found = cache.get(key)
          if (found !== undefined) expect(found).toBe(truth.get(key))
        } else if (how === 'set') {
          cache.set(key, i)
          truth.set(key, i)
          expect(cache.get(key)).toBe(i)
        } else {
          cache.delete(key)
          truth.delete(key)
          expect(cache.get(key)).toBeUndefined()
        }
      }
    }),
    { numRuns: runs(1000) },
  )
})

test('a scan of what is put once pushes nothing out, and a tenth of it is kept', () => {
  const cache = scanResistantCache<number>(1000)
  for (let round = 0; round < 2; round++) for (let n = 0; n < 400; n++) cache.set(`used ${n}`, n)
  for (let n = 0; n < 5000; n++) cache.set(`scanned ${n}`, n)
  const has = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => cache.get(`${name} ${n}`)).filter((value) => value !== undefined)
  expect(has('used', 400)).toHaveLength(400)
  const scanned = has('scanned', 5000)
  expect(scanned.length).toBeGreaterThanOrEqual(50)
  expect(scanned.length).toBeLessThanOrEqual(100)
  expect(scanned.at(-1)).toBe(4999)
})

test('what is put again within as many others as it may hold stays', () => {
  const cache = scanResistantCache<number>(1000)
  cache.set('a', 1)
  for (let n = 0; n < 400; n++) cache.set(`scanned ${n}`, n)
  expect(cache.get('a')).toBeUndefined()
  cache.set('a', 2)
  for (let n = 400; n < 2000; n++) cache.set(`scanned ${n}`, n)
  expect(cache.get('a')).toBe(2)
})

test('what is put anew is the new value, also where it is forgotten that it was put', () => {
  const cache = scanResistantCache<string>(2)
  cache.set('a', 'old')
  cache.set('a', 'old')
  for (const other of ['b', 'c', 'd']) cache.set(other, 'other')
  expect(cache.get('a')).toBe('old')
  cache.set('a', 'new')
  expect(cache.get('a')).toBe('new')
})
