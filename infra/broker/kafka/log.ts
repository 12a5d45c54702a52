import type { logCreator } from 'kafkajs'
import type { Log } from './settings.ts'

/**
 * kafkajs reports each attempt of each retry, most as errors. What comes of them is told by this adapter in its own
 * words, once; theirs are for those who look into it.
 */
export const kafkajsLog =
  (log: Log): logCreator =>
  () =>
  ({ namespace, label, log: { message, timestamp: _, logger: __, ...details } }) =>
    log.debug({ ...details, kafkajs: namespace, level: label }, message)

export interface Outage {
  away(reason: string): void
  back(): void
}

/** Says once that Kafka is away and once that it is back, however many calls find out. */
export const outageLog = (log: Log): Outage => {
  let isAway = false
  return {
    away: (reason) => {
      if (isAway) return
      isAway = true
      log.warn({ reason }, 'Kafka is away; it is tried again until it is back')
    },
    back: () => {
      if (!isAway) return
      isAway = false
      log.info('Kafka is back')
    },
  }
}

const ignore = (): void => {}
export const silent: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
