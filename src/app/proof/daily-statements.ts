import { MINUTE } from '../../domain/kernel/time.ts'
import type { System } from '../system.ts'

/** Something that the archive states of itself in its log. */
export interface DailyStatement {
  /** As in: cannot … */
  readonly what: string
  /** States it where it is due. */
  state(signal: AbortSignal): Promise<void>
}

export interface DailyStatements {
  /** Begins those that are due, one after the other, unless some are being made. */
  begin(): void
  /** Ends what is being made. */
  stop(): Promise<void>
}

/** Between two questions whether one is due. A process that runs for less has other work. */
export const pollMillis = 10 * MINUTE

/**
 * Statements that are made beside the sealing, which they do not delay: each reads one moment that is kept for it. A failure is logged,
 * and it is tried again later.
 */
export const createDailyStatements = (
  { clock, log }: Pick<System, 'clock' | 'log'>,
  statements: readonly DailyStatement[],
  over: AbortSignal,
): DailyStatements => {
  const stopping = new AbortController()
  const signal = AbortSignal.any([over, stopping.signal])
  let last = clock.monotonic()
  let running: Promise<void> | undefined

  const makeAll = async (): Promise<void> => {
    for (const { what, state } of statements)
      try {
        signal.throwIfAborted()
        await state(signal)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, part: 'sealer' }, `cannot ${what}; retrying later`)
      }
  }

  return {
    begin: () => {
      if (running || clock.monotonic() - last < pollMillis) return
      last = clock.monotonic()
      running = makeAll().finally(() => {
        running = undefined
      })
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
