import { expect, it } from 'vitest'
import { spread } from './file-order.ts'

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
