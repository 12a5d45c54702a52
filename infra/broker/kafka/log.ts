import type { logCreator } from 'kafkajs'
import type { Log } from './settings.ts'

/** kafkajs reports this in its log alone, and goes on from the earliest record kept. */
const recordsDeleted = 'Offset out of range, resetting to default offset'

/** kafkajs logs each attempt of each retry, most as errors. Here they are for debugging: this adapter logs the outcome. */
export const kafkajsLog =
  (log: Log): logCreator =>
  () =>
  ({ namespace, label, log: { message, timestamp: _, logger: __, ...details } }) => {
    log.debug({ ...details, kafkajs: namespace, level: label }, message)
    if (message !== recordsDeleted) return
    const { topic, partition, groupId: group } = details
    log.error(
      { topic, partition, group },
      `${topic}-${partition}: records that group ${group} has not handled are deleted, by retention or with the topic; continuing from the earliest record`,
    )
  }

export interface Outage {
  away(reason: string): void
  back(): void
}

/** Where a part of Kafka is away, some calls fail and others succeed: that is logged once in so long. */
const quietMillis = 60_000

/** Logs once that Kafka is away and once that it is back, however many calls find out. */
export const createOutageLog = (log: Log, now = () => performance.now()): Outage => {
  let isAway = false
  let quietUntil = 0
  return {
    away: (reason) => {
      if (isAway || now() < quietUntil) return
      isAway = true
      quietUntil = now() + quietMillis
      log.warn({ reason }, 'Kafka is unavailable; retrying until it is back')
    },
    back: () => {
      if (!isAway) return
      isAway = false
      // At the same level as the outage, so that a log with the one has the other.
      log.warn('Kafka is available again')
    },
  }
}

const ignore = (): void => {}
export const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
