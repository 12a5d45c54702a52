import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ids } from '#src/domain/matching/graph/ids.ts'
import { runs } from '../../../runs.ts'

it('ids have numbers, and numbers ids, however many come and go', () => {
  const step = fc.record({ id: fc.nat(3000).map((n) => `w${n}`), goes: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { minLength: 2000, maxLength: 6000 }), (steps) => {
      const ids = new Ids()
      const expected = new Map<string, number>()
      // RecordContent at as lists: millions of single looks take far longer than what they look at.
      const [found, known, gone]: [number[], number[], unknown[]] = [[], [], []]
      for (const { id, goes } of steps) {
        const number = ids.find(id)
        found.push(number)
        known.push(expected.get(id) ?? 0)
        if (!number) expected.set(id, ids.add(id))
        else if (goes) {
          ids.remove(number)
          expected.delete(id)
          gone.push(ids.name(number))
        }
      }
      expect(found).toEqual(known)
      expect(gone.filter((name) => name !== undefined)).toEqual([])
      const [names, numbers] = [[...expected.keys()], [...expected.values()]]
      expect(new Set(numbers).size).toBe(expected.size)
      expect(names.map((id) => ids.find(id))).toEqual(numbers)
      expect(numbers.map((number) => ids.name(number))).toEqual(names)
      expect(Math.max(...numbers)).toBeLessThan(ids.end)
    }),
    { numRuns: runs(50) },
  )
})

it('the number of a removed id is given again', () => {
  const ids = new Ids()
  expect([ids.add('a'), ids.add('b')]).toEqual([1, 2])
  ids.remove(1)
  ids.remove(1)
  expect(ids.add('c')).toBe(1)
  expect(ids.add('d')).toBe(3)
  expect(['a', 'b', 'c', 'd'].map((id) => ids.find(id))).toEqual([0, 2, 1, 3])
})
