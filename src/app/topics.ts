import { orThrow } from '../async/unavailable.ts'
import { DAY } from '../domain/kernel/time.ts'
import { topicsOf } from '../workflows/workflow-model.ts'
import { eventTopicsOf } from './event-topics.ts'
import type { Home } from './system.ts'

/**
 * Makes the topics that are missing, and sets the retention of all. `withEvents`: those that the relay writes, too. Throws
 * `UnavailableError`.
 */
export const ensureTopics = async (
  { broker, config, workflows }: Pick<Home, 'broker' | 'config' | 'workflows'>,
  withEvents = false,
): Promise<void> => {
  const { partitions, retentionDays } = config
  const retention = retentionDays === undefined ? {} : { retentionMillis: retentionDays * DAY }
  const topics = [...topicsOf(workflows), ...(withEvents ? eventTopicsOf(workflows) : [])]
  const wanted = topics.map(({ name }) => ({ name, partitions, ...retention }))
  await orThrow(broker.ensureTopics(wanted), 'the topics cannot be made')
}
