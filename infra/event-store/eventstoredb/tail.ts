import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type RecentEvents, type RecentLimits, recentEvents } from '../recent-events.ts'
import type { Connection } from './connection.ts'
import { decodeEvent, positionOf } from './event-coding.ts'
import { reasonOf, Silent } from './failures.ts'
import type { Reader } from './read.ts'
import { openSubscription, type SubscriptionItem } from './subscription.ts'

export interface TailOptions extends RecentLimits {
  readonly log: Pick<Logger, 'debug' | 'warn'> | undefined
}

/** The end of the log as it grows: one subscription, whoever reads it. */
export interface Tail {
  /** Undefined until it was live once. */
  recent(): RecentEvents | undefined
  /** True while all that the log held at the last connection, and whatever came since, is in `recent`. */
  live(): boolean
  /** How often connecting has failed, and why the last time. */
  failures(): { readonly count: number; readonly reason: string }
  /** Starts it where it was not, and ends the pause before the next attempt. */
  hurry(): void
  /** Called when anything of the above changed. Returns the way to stop it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

const shortestPause = 50
const longestPause = 5_000

/** The client does not subscribe again after a drop; this does, from where it was. */
export const openTail = (connection: Connection, reader: Reader, { log, ...limits }: TailOptions): Tail => {
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let recent: RecentEvents | undefined
  let live = false
  let failures = { count: 0, reason: '' }
  let inARow = 0
  let running: Promise<void> | undefined
  let pause: AbortController | undefined

  const notify = () => {
    for (const listener of [...listeners]) listener()
  }

  const take = (item: SubscriptionItem, to: RecentEvents): void => {
    if ('says' in item) {
      if (item.says === 'lookedTo') to.lookedTo(item.position)
      return
    }
    const event = decodeEvent(item)
    const position = positionOf(item)
    if (event) to.add(event)
    else if (position !== undefined) to.lookedTo(position)
  }

  /** Never returns in peace, but when closed. */
  const followOnce = async (): Promise<void> => {
    const head = await reader.head()
    const known = recent ?? recentEvents(head, limits)
    const source = openSubscription(connection, known.top(), {}, closing.signal)
    try {
      let confirmed = false
      for (;;) {
        const items = await source.next(confirmed ? Number.POSITIVE_INFINITY : connection.patience)
        if (closing.signal.aborted) return
        if (items === 'quiet') throw new Silent('the subscription was not confirmed')
        if (items === 'over') throw new Error('the server ended the subscription')
        confirmed = true
        for (const item of items) take(item, known)
        recent = known
        if (!live && known.top() >= head) {
          live = true
          inARow = 0
          log?.debug({ position: String(known.top()) }, 'following the log of EventStoreDB')
        }
        notify()
      }
    } finally {
      source.close()
    }
  }

  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await followOnce()
      } catch (error) {
        if (closing.signal.aborted) return
        const reason = reasonOf(connection.name, error)
        // A connection that worked until now deserves another try before anybody is told.
        if (live) log?.warn({ reason }, 'the subscription to EventStoreDB broke; subscribing again')
        else failures = { count: failures.count + 1, reason }
        live = false
        notify()
      }
      pause = new AbortController()
      const millis = Math.min(longestPause, shortestPause * 2 ** inARow++) * (0.5 + Math.random() / 2)
      await sleep(millis, undefined, { signal: AbortSignal.any([pause.signal, closing.signal]) }).catch(
        () => {},
      )
      pause = undefined
    }
  }

  return {
    recent: () => recent,
    live: () => live,
    failures: () => failures,
    hurry: () => {
      pause?.abort()
      if (!closing.signal.aborted) running ??= follow()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close: async () => {
      closing.abort()
      live = false
      failures = { count: failures.count + 1, reason: 'the event store is closed' }
      notify()
      await running
    },
  }
}
