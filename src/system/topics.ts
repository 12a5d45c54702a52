import { isLeft } from 'fp-ts/lib/Either.js'
import { DAY } from '../domain/kernel/time.ts'
import { Away } from '../ports/away.ts'
import { inWords } from '../ports/broker-failure.ts'
import { eventTopicsOf } from './event-topics.ts'
import { type System, topicsOf } from './system.ts'

/**
 * Makes the topics that are missing, and keeps all for as long as is wanted now; `withEvents`: also those that the relay
 * writes.
 */
export const ensureTopics = async (
  { broker, config, workflows }: System,
  withEvents = false,
): Promise<void> => {
  const { partitions, retentionDays } = config
  const retention = retentionDays === undefined ? {} : { retentionMillis: retentionDays * DAY }
  const topics = [...topicsOf(workflows), ...(withEvents ? eventTopicsOf(workflows) : [])]
  const wanted = topics.map(({ name }) => ({ name, partitions, ...retention }))
  const made = await broker.ensureTopics(wanted)()
  if (isLeft(made)) throw new Away(`the topics cannot be made: ${inWords(made.left)}`)
}
