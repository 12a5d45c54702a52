import { MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'

/** Writes a refused attempt to the log of the process: without secrets, names, and what was sent. */
export type Audit = (code: string, facts: object) => void

interface Log {
  readonly warn: (facts: object, sentence: string) => void
}

const perMinute = 30

/** At most 30 lines a minute: whoever tries a million tokens fills no disk. */
export const createAudit = (log: Log, clock: Pick<Clock, 'monotonic'>): Audit => {
  let began = Number.NEGATIVE_INFINITY
  let lines = 0
  return (code, facts) => {
    const now = clock.monotonic()
    if (now - began >= MINUTE) {
      began = now
      lines = 0
    }
    lines += 1
    if (lines <= perMinute) log.warn({ code, ...facts }, 'an attempt was refused')
    else if (lines === perMinute + 1)
      log.warn(
        { code },
        `more than ${perMinute} attempts were refused in a minute: the others are not logged`,
      )
  }
}
