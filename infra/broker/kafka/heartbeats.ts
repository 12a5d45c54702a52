import { isMembershipLost } from './errors.ts'
import type { Watchdog } from './watchdog.ts'

export interface Heartbeats {
  /** Work begins: beats by a timer until it ends. Kafka's answer to a beat is also how a rebalance shows. */
  begin(beat: () => Promise<void>): void
  end(): void
  stop(): void
}

export interface HeartbeatOptions {
  readonly intervalMillis: number
  /** Silence after which Kafka gives the partitions to others. */
  readonly sessionMillis: number
  readonly watchdog: Watchdog
  readonly now: () => number
  /** The partitions are somebody else's, or about to be. */
  readonly onLost: (error: unknown) => void
  /** No more beats: the partitions go to others. */
  readonly onHung: () => void
}

/**
 * kafkajs beats between batches alone, so work that takes longer than a session would lose its partition while it is
 * being done. Work that hangs must lose it.
 */
export const heartbeats = (options: HeartbeatOptions): Heartbeats => {
  const { intervalMillis, sessionMillis, watchdog, now, onLost, onHung } = options
  let working = 0
  let timer: NodeJS.Timeout | undefined
  let beat = (): Promise<void> => Promise.resolve()
  let heard = now()

  const stop = (): void => clearInterval(timer)

  const tick = async (): Promise<void> => {
    if (watchdog.isHung()) {
      stop()
      onHung()
      return
    }
    try {
      await beat()
      heard = now()
    } catch (error) {
      if (working > 0 && (isMembershipLost(error) || now() - heard > sessionMillis)) onLost(error)
    }
  }

  return {
    begin: (latest) => {
      beat = latest
      if (working++ > 0) return
      watchdog.progress()
      heard = now()
      timer = setInterval(tick, intervalMillis)
    },
    end: () => {
      if (--working === 0) stop()
    },
    stop,
  }
}
