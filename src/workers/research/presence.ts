import type { Logger } from 'pino'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import { retryMillis } from '../runtime/idle-backoff.ts'

export type PresenceWord =
  | 'researcher.registered'
  | 'researcher.beat'
  | 'researcher.draining'
  | 'researcher.gone'

export interface PresenceOptions {
  /** Says it for all researchers of this process. Throws when the broker does not take it. */
  readonly say: (word: PresenceWord) => Promise<void>
  /** How long one may be silent until it counts as gone; asked before each beat. */
  readonly presenceSeconds: () => number
  readonly clock: Clock
  readonly log: Logger
}

export interface Presence {
  /** It takes nothing new; it beats until it has left. */
  drain(): Promise<void>
  /** Says so once: where that is not heard, silence says it. */
  leave(): Promise<void>
}

/** Registers, then beats three times in the time that silence may last. A broker that is away is told to the log once. */
export const startPresence = ({ say, presenceSeconds, clock, log }: PresenceOptions): Presence => {
  const left = new AbortController()
  let registered = false
  let draining = false
  let away = false
  let last: Promise<unknown> = Promise.resolve()

  const tell = async (word: PresenceWord): Promise<boolean> => {
    try {
      await say(word)
      if (away) log.info('the presence of this researcher is heard again')
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'the presence of this researcher cannot be told; it is tried again')
      away = true
    }
    return !away
  }

  /** One word at a time, in their order. */
  const inTurn = (work: () => Promise<unknown>): Promise<unknown> => {
    last = last.then(work)
    return last
  }

  const greet = async () => {
    if (registered) await tell('researcher.beat')
    else if (!draining) registered = await tell('researcher.registered')
  }

  const beating = async () => {
    while (!left.signal.aborted) {
      await inTurn(greet)
      const third = (presenceSeconds() * SECOND) / 3
      await clock.sleep(away ? Math.min(retryMillis, third) : third, left.signal)
    }
  }
  const over = beating()

  return {
    drain: async () => {
      draining = true
      await inTurn(async () => registered && tell('researcher.draining'))
    },
    leave: async () => {
      draining = true
      left.abort()
      await over
      await inTurn(async () => registered && tell('researcher.gone'))
    },
  }
}
