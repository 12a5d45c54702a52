import type { KafkaOptions } from './settings.ts'

export interface Timing {
  readonly sessionMillis: number
  readonly heartbeatMillis: number
  readonly rebalanceMillis: number
  readonly hungMillis: number
  readonly callMillis: number
  readonly stopMillis: number
}

/** Heartbeats and rebalances keep their proportion to the session: 3 s and 120 s to 45 s. */
export const timingOf = (options: KafkaOptions): Timing => {
  const { sessionMillis = 45_000 } = options
  return {
    sessionMillis,
    heartbeatMillis: Math.round(sessionMillis / 15),
    rebalanceMillis: Math.round((sessionMillis * 8) / 3),
    hungMillis: options.hungMillis ?? 10 * 60_000,
    callMillis: options.callMillis ?? 30_000,
    stopMillis: options.stopMillis ?? 30_000,
  }
}
