import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { longest, spread } from './file-order.ts'

it('some of each list at any time, each list in its order', () => {
  const [few, many] = [
    ['a', 'b'],
    [1, 2, 3, 4, 5, 6],
  ]
  const all = spread<string | number>([few, many])
  expect(all.filter((one) => typeof one === 'string')).toEqual(few)
  expect(all.filter((one) => typeof one === 'number')).toEqual(many)
  expect(all.indexOf('a')).toBeLessThan(4)
  expect(all.indexOf('b')).toBeGreaterThan(3)
})

it('each of the longest is one file', () => {
  const files = globSync('**/*.integration.test.ts', { cwd: join(import.meta.dirname, '..') })
  const named = longest.map((name) => files.filter((file) => `test/${file}`.includes(name)))
  expect(named.map((some) => some.length)).toEqual(longest.map(() => 1))
})
