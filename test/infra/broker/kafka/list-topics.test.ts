import type { Admin } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { listTopics } from '#infra/broker/kafka/list-topics.ts'
import { createNames } from '#infra/broker/kafka/names.ts'

/** A Kafka of these topics; of the last one the offsets cannot be had. */
const withoutOffsetsOfTheLast = (error: Error, ...topics: readonly string[]) =>
  ({
    fetchTopicMetadata: async () => ({ topics: topics.map((name) => ({ name, partitions: [] })) }),
    describeConfigs: async () => ({ resources: [] }),
    fetchTopicOffsets: async (topic: string) => {
      if (topic === topics.at(-1)) throw error
      return [{ partition: 0, offset: '7', low: '2', high: '7' }]
    },
  }) as unknown as Admin

describe('topics', () => {
  it('that were deleted while they were listed are left out', async () => {
    const error = Object.assign(new Error('no such topic'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' })
    const listed = await listTopics(withoutOffsetsOfTheLast(error, 'a', 'b'), createNames(''))
    expect(listed).toEqual([{ name: 'a', partitions: 1, offsets: [{ partition: 0, start: 2n, end: 7n }] }])
  })

  it('cannot be listed where Kafka fails otherwise', async () => {
    const admin = withoutOffsetsOfTheLast(new Error('no connection'), 'a', 'b')
    await expect(listTopics(admin, createNames(''))).rejects.toThrow('no connection')
  })
})
