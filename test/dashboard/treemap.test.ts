import fc from 'fast-check'
import { expect, it } from 'vitest'
import { treemap } from '../../dashboard/src/pages/fixity/treemap.ts'
import { runs } from '../runs.ts'

const weights = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 })
  .map((some) => some.toSorted((a, b) => b - a))
const near = 1e-6

it('tiles have areas in proportion to their weights, fill the whole, stay in it and lie beside each other', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom(0.5, 1, 2.5), (all, aspect) => {
      const tiles = treemap(all, aspect)
      const sum = all.reduce((total, weight) => total + weight, 0)
      expect(tiles.length).toBe(all.length)
      for (const [i, { left, top, width, height }] of tiles.entries()) {
        expect((width * height) / 10_000).toBeCloseTo((all[i] as number) / sum, 6)
        expect(Math.min(left, top)).toBeGreaterThan(-near)
        expect(Math.max(left + width, top + height)).toBeLessThan(100 + near)
      }
      for (const [i, one] of tiles.entries())
        for (const other of tiles.slice(i + 1)) {
          const across =
            Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
          const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
          expect(Math.min(across, down)).toBeLessThan(near)
        }
    }),
    { numRuns: runs(100) },
  )
})

it('equal weights make tiles that are near to squares', () => {
  for (const { width, height } of treemap(Array(12).fill(1), 1))
    expect(Math.max(width / height, height / width)).toBeLessThan(1.5)
})
