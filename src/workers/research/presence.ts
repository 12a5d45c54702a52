import { oneByOne } from '@fonds/toolbox'
import type { Logger } from 'pino'
import { createAutoResetEvent } from '../../async/auto-reset-event.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { defaultPolicy } from '../../domain/research/policy/policy.ts'
import type { Clock } from '../../ports/clock.ts'
import { retryMillis } from '../runtime/idle-backoff.ts'

export type PresenceWord =
  | 'researcher.registered'
  | 'researcher.beat'
  | 'researcher.draining'
  | 'researcher.gone'

interface PresenceOptions {
  /** Publishes the message for all researchers of this process. Throws if the broker does not accept it. */
  readonly say: (word: PresenceWord) => Promise<void>
  /** Time without a beat after which a researcher counts as gone; read before each beat. */
  readonly presenceSeconds: () => number
  /** True while an item waits, or is worked on here. */
  readonly isWanted: () => boolean
  /** Calls the listener when that may have changed; returns a function that unsubscribes it. */
  readonly onNews: (listener: () => void) => () => void
  readonly clock: Clock
  readonly log: Logger
}

interface Presence {
  /** The researcher takes nothing new, and beats until it leaves. */
  drain(): Promise<void>
  /** Publishes the departure once. If the message is lost, the missing beats show it. */
  leave(): Promise<void>
}

/**
 * Registers as soon as an item waits, then beats three times in `presenceSeconds`. While there is work, an item always
 * waits; without any, the researcher leaves, so that an idle archive writes no beats for years. An unavailable broker
 * is logged once.
 */
export const startPresence = (options: PresenceOptions): Presence => {
  const { onNews, clock } = options
  const presenceSeconds = lately(options.presenceSeconds, defaultPolicy.presenceSeconds)
  const isWanted = lately(options.isWanted, false)
  const publisher = createPublisher(options)
  const { set: ring, wait } = createAutoResetEvent(clock)
  const inTurn = oneByOne()
  let registered = false
  let draining = false
  let left = false
  let wantedAt = ''

  const beat = async () => {
    const now = clock.now()
    if (isWanted()) wantedAt = now
    const idle = wantedAt === '' || millisBetween(wantedAt, now) >= presenceSeconds() * SECOND
    if (!registered)
      registered = !draining && wantedAt === now && (await publisher.publish('researcher.registered'))
    else if (idle && !draining) registered = !(await publisher.publish('researcher.gone'))
    else await publisher.publish('researcher.beat')
  }

  const loop = async () => {
    while (!left) {
      await inTurn(beat)
      const third = (presenceSeconds() * SECOND) / 3
      await wait(publisher.isAway() ? Math.min(retryMillis, third) : third)
    }
  }
  const over = loop()
  // An unavailable broker is retried at its own pace.
  const stopListening = onNews(() => {
    if (!registered && !publisher.isAway() && isWanted()) ring()
  })

  return {
    drain: async () => {
      draining = true
      await inTurn(async () => registered && publisher.publish('researcher.draining'))
    },
    leave: async () => {
      draining = true
      left = true
      stopListening()
      ring()
      await over
      await inTurn(async () => registered && publisher.publish('researcher.gone'))
    },
  }
}

/** Remembers whether the broker accepted the last message. */
const createPublisher = ({ say, log }: Pick<PresenceOptions, 'say' | 'log'>) => {
  let away = false
  return {
    isAway: () => away,
    publish: async (word: PresenceWord): Promise<boolean> => {
      try {
        await say(word)
        if (away) log.info('the presence of this researcher is published again')
        away = false
      } catch (error) {
        if (!away) log.warn({ err: error }, 'cannot publish the presence of this researcher; retrying')
        away = true
      }
      return !away
    },
  }
}

/** Queries views; while they are unavailable, the last answer holds. */
const lately = <A>(ask: () => A, first: A): (() => A) => {
  let known = first
  return () => {
    try {
      known = ask()
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
    return known
  }
}
