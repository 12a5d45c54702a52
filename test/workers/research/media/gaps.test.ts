import { expect, test } from 'vitest'
import { Gaps } from '#src/domain/research/terms.ts'
import { gapsOf } from '#src/workers/research/media/gaps.ts'

test('X3: a whole file has no gaps', () => {
  expect(gapsOf([])).toBeUndefined()
})

test('X3: of many gaps all are counted, and the longest are listed, by growing offset', () => {
  const gaps = Array.from({ length: 50 }, (_, i) => ({ at: i * 10, seconds: i === 7 ? 0.1 : (i + 1) / 100 }))
  const found = gapsOf(gaps)
  expect(found?.count).toBe(50)
  expect(found?.duration).toBeCloseTo((12.75 - 0.08 + 0.1) * 1e9, -3)
  expect(found?.places).toHaveLength(20)
  expect(found?.places[0]).toEqual({ offset: 300e9, duration: 0.31e9 })
  expect(Gaps.is(found)).toBe(true)
})
