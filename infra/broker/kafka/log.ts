import type { logCreator } from 'kafkajs'
import type { Log } from './settings.ts'

/** kafkajs goes on from the earliest record kept then, and tells of it here alone. */
const recordsGone = 'Offset out of range, resetting to default offset'

/**
 * kafkajs reports each attempt of each retry, most as errors. What comes of them is told by this adapter in its own
 * words, once; theirs are for those who look into it.
 */
export const kafkajsLog =
  (log: Log): logCreator =>
  () =>
  ({ namespace, label, log: { message, timestamp: _, logger: __, ...details } }) => {
    log.debug({ ...details, kafkajs: namespace, level: label }, message)
    if (message !== recordsGone) return
    const { topic, partition, groupId: group } = details
    log.error(
      { topic, partition, group },
      `${topic}-${partition}: records that group ${group} had not handled are gone, dropped by retention or with the topic; it goes on from the earliest that is kept`,
    )
  }

export interface Outage {
  away(reason: string): void
  back(): void
}

/** Where some of Kafka is away, one call after the other finds it away and back: that is told once in so long. */
const quietMillis = 60_000

/** Says once that Kafka is away and once that it is back, however many calls find out. */
export const outageLog = (log: Log, now = () => performance.now()): Outage => {
  let isAway = false
  let quietUntil = 0
  return {
    away: (reason) => {
      if (isAway || now() < quietUntil) return
      isAway = true
      quietUntil = now() + quietMillis
      log.warn({ reason }, 'Kafka is away; it is tried again until it is back')
    },
    back: () => {
      if (!isAway) return
      isAway = false
      // As loud as the word that it was away, or who heard that one waits for ever.
      log.warn('Kafka is back')
    },
  }
}

const ignore = (): void => {}
export const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
