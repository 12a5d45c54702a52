import { expect, it } from 'vitest'
import { after, before, reportOn } from './report-on.ts'

it('100,000 items in 1,000 folders make 10 lines, with lists that end', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => ({
    path: `${i % 10}/${i % 1000}/${i}`,
    state: i % 50 === 0 ? 'failed' : 'verified',
    lateAfter: i % 3 === 0 ? before : after,
  }))
  const { stores: found, failures } = reportOn({ items: many })
  expect(found[0]?.prefixes).toHaveLength(10)
  expect(found[0]?.counts).toMatchObject({ expected: 100_000, failed: 2000 })
  expect(failures).toHaveLength(1000)
})
