import type { Admin } from 'kafkajs'
import type { TopicInfo } from '../../../src/ports/broker.ts'
import { isTopicMissing } from './errors.ts'
import type { Names } from './names.ts'
import { type Configs, topicConfigs } from './topic-configs.ts'

/** Topics with our prefix, by name. Retention is left out where we may not ask for it. */
export const listTopics = async (admin: Admin, names: Names): Promise<readonly TopicInfo[]> => {
  const { topics } = await admin.fetchTopicMetadata()
  const ours = topics.map(({ name }) => name).filter((full) => names.bare(full) !== undefined)
  const configs = await topicConfigs(admin, ours, ['retention.ms']).catch((): Configs => new Map())
  const found = await Promise.all(
    ours.sort().map(async (full): Promise<TopicInfo | undefined> => {
      const offsets = await offsetsIfThere(admin, full)
      if (offsets.length === 0) return undefined
      const retentionMillis = Number(configs.get(full)?.get('retention.ms')?.value ?? -1)
      const limited = retentionMillis >= 0 && { retentionMillis }
      return { name: names.bare(full)!, partitions: offsets.length, ...limited, offsets }
    }),
  )
  return found.filter((topic) => topic !== undefined)
}

/** Start and end of each partition. */
export const topicOffsets = async (admin: Admin, full: string): Promise<TopicInfo['offsets']> => {
  const found = await admin.fetchTopicOffsets(full)
  return found
    .map(({ partition, low, high }) => ({ partition, start: BigInt(low), end: BigInt(high) }))
    .sort((a, b) => a.partition - b.partition)
}

/** None where somebody has deleted the topic. */
export const offsetsIfThere = (admin: Admin, full: string): Promise<TopicInfo['offsets']> =>
  topicOffsets(admin, full).catch((error: unknown) => {
    if (isTopicMissing(error)) return []
    throw error
  })
