import { expect, it } from 'vitest'
import {
  type Links,
  oldestFrom,
  withRecord,
} from '../../../../../infra/views/sqlite/history/version-links.ts'

it('a way back leads from any of many versions to any before it in few steps', () => {
  const ways: Links[] = [{ count: 0, before: null, far: [] }]
  const count = 5000
  for (let n = 1; n <= count; n++) ways.push(structuredClone(withRecord(structuredClone(ways.at(-1)), 3 * n)))
  for (const bound of [1, 2, 3, 4, 1500, 7777, 14_998, 15_000, 15_001]) {
    let [steps, found] = [0, undefined as number | undefined]
    for (let next = oldestFrom(ways[count] as Links, bound); next !== undefined; steps++) {
      found = next
      next = oldestFrom(ways[next / 3 - 1] as Links, bound)
    }
    expect(found).toBe(bound > 3 * count ? undefined : 3 * Math.ceil(bound / 3))
    expect(steps).toBeLessThan(16)
  }
})
