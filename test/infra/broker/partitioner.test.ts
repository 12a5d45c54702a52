import { describe, expect, it } from 'vitest'
import { murmur2, partitionOf } from '../../../infra/broker/partitioner.ts'

describe('partitioner', () => {
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka’s own tests say', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash)
  })

  it('finds a partition for any key, also the empty one', () => {
    for (const key of ['', 'a', 'ab', 'abc', 'Żółć', '🗃️'])
      for (const count of [1, 2, 7, 64]) {
        expect(partitionOf(key, count)).toBeGreaterThanOrEqual(0)
        expect(partitionOf(key, count)).toBeLessThan(count)
      }
  })
})
