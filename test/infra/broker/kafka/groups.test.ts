import type { Admin } from 'kafkajs'
import { describe, expect, it, vi } from 'vitest'
import { createAheadCache, listGroups } from '#infra/broker/kafka/groups.ts'
import { createNames } from '#infra/broker/kafka/names.ts'
import type { Ahead } from '#infra/broker/kafka/peek.ts'

/** A group that stands at offset 4 of a partition with ten, and has nobody in it. */
const admin = {
  listGroups: async () => ({ groups: [{ groupId: 'g', protocolType: 'consumer' }] }),
  listTopics: async () => ['t'],
  describeGroups: async () => ({ groups: [{ groupId: 'g', members: [] }] }),
  fetchOffsets: async () => [{ topic: 't', partitions: [{ partition: 0, offset: '4' }] }],
  fetchTopicOffsets: async () => [{ partition: 0, offset: '10', low: '0', high: '10' }],
} as unknown as Admin

const placeWith = async (lookAhead: () => Promise<Ahead>) => {
  const [group] = await listGroups({ admin, names: createNames(''), sessionMillis: 45_000, lookAhead })
  return group?.partitions[0]
}

describe('the lag of a group', () => {
  it('is nothing where only marks of transactions and aborted records are before it', async () => {
    expect(await placeWith(async () => ({ record: undefined, end: 10n }))).toMatchObject({
      committed: 10n,
      end: 10n,
      lag: 0n,
    })
  })

  it('does not count what an open transaction holds back', async () => {
    expect(await placeWith(async () => ({ record: undefined, end: 7n }))).toMatchObject({
      committed: 7n,
      end: 7n,
      lag: 0n,
    })
    expect(await placeWith(async () => ({ record: 5n, end: 7n }))).toMatchObject({ committed: 4n, lag: 3n })
  })

  it('is all where what waits cannot be read', async () => {
    const unreadable = () => Promise.reject(new Error('damaged'))
    expect(await placeWith(unreadable)).toMatchObject({ committed: 4n, end: 10n, lag: 6n })
  })
})

describe('the look ahead', () => {
  it('asks again only where the record that it found may have been handled', async () => {
    const ask = vi.fn(async (): Promise<Ahead> => ({ record: 6n, end: 9n }))
    const look = createAheadCache(ask)
    expect(await look('t', 0, 4n, 10n)).toEqual({ record: 6n, end: 9n })
    expect(await look('t', 0, 6n, 20n)).toEqual({ record: 6n, end: 20n })
    expect(ask).toHaveBeenCalledTimes(1)
    for (const [partition, from] of [
      [0, 7n],
      [0, 3n],
      [1, 4n],
    ] as const)
      await look('t', partition, from, 20n)
    expect(ask).toHaveBeenCalledTimes(4)
  })
})
