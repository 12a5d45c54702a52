import type { Logger } from 'pino'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { defaultPolicy } from '../../domain/research/desk/policy.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import { bell } from '../runtime/bell.ts'
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
  /** True while an item waits, or is worked on here. */
  readonly isWanted: () => boolean
  /** Calls back when that may have changed; returns the way to stop it. */
  readonly onNews: (listener: () => void) => () => void
  readonly clock: Clock
  readonly log: Logger
}

export interface Presence {
  /** It takes nothing new; it beats until it has left. */
  drain(): Promise<void>
  /** Says so once: where that is not heard, silence says it. */
  leave(): Promise<void>
}

/**
 * Registers as soon as there is an item to take, then beats three times in the time that silence may last. As long as there
 * is work one item is always put out; without any it leaves, so that an idle archive writes no beats for years. A broker
 * that is away is told to the log once.
 */
export const startPresence = (options: PresenceOptions): Presence => {
  const { say, onNews, clock, log } = options
  const presenceSeconds = lately(options.presenceSeconds, defaultPolicy.presenceSeconds)
  const isWanted = lately(options.isWanted, false)
  const { ring, wait } = bell(clock)
  let left = false
  let registered = false
  let wantedAt = ''
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
    const now = clock.now()
    if (isWanted()) wantedAt = now
    const idle = wantedAt === '' || millisBetween(wantedAt, now) >= presenceSeconds() * SECOND
    if (!registered) registered = !draining && wantedAt === now && (await tell('researcher.registered'))
    else if (idle && !draining) registered = !(await tell('researcher.gone'))
    else await tell('researcher.beat')
  }

  const beating = async () => {
    while (!left) {
      await inTurn(greet)
      const third = (presenceSeconds() * SECOND) / 3
      await wait(away ? Math.min(retryMillis, third) : third)
    }
  }
  const over = beating()
  // A broker that is away is asked in its own time.
  const stopListening = onNews(() => {
    if (!registered && !away && isWanted()) ring()
  })

  return {
    drain: async () => {
      draining = true
      await inTurn(async () => registered && tell('researcher.draining'))
    },
    leave: async () => {
      draining = true
      left = true
      stopListening()
      ring()
      await over
      await inTurn(async () => registered && tell('researcher.gone'))
    },
  }
}

/** What is asked of views that may be away: then the last answer holds. */
const lately = <A>(ask: () => A, first: A): (() => A) => {
  let known = first
  return () => {
    try {
      known = ask()
    } catch (error) {
      if (!(error instanceof Away)) throw error
    }
    return known
  }
}
