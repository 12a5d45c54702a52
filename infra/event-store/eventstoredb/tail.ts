import type { Logger } from 'pino'
import { type Failed, keepTrying } from '../../../src/async/keep-trying.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createRecentEvents, type RecentEvents, type RecentLimits } from '../recent-events.ts'
import type { Connection } from './connection.ts'
import { reasonOf } from './failures.ts'
import { feed } from './feed.ts'
import type { Reader } from './read.ts'

interface TailOptions extends RecentLimits {
  readonly log: Pick<Logger, 'debug' | 'warn'> | undefined
}

/** The end of the log as it grows: one subscription, whoever reads it. */
export interface Tail {
  /** Undefined until the first subscription was confirmed. */
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

/** The client does not subscribe again after a drop; this does, from where it was. */
export const openTail = (connection: Connection, reader: Reader, { log, ...limits }: TailOptions): Tail => {
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  let recent: RecentEvents | undefined
  let live = false
  let failures = { count: 0, reason: '' }
  let running: Promise<void> | undefined
  let endPause = () => {}

  const notify = () => {
    for (const listener of [...listeners]) listener()
  }

  const follow = async (succeeded: () => void): Promise<void> => {
    const head = await reader.head()
    const known = recent ?? createRecentEvents(head, limits)
    const onAdded = () => {
      recent = known
      if (!live && known.top() >= head) {
        live = true
        succeeded()
        log?.debug({ position: String(known.top()) }, 'following the log of EventStoreDB')
      }
      notify()
    }
    await feed(connection, known, onAdded, closing.signal)
  }

  const onFailure = ({ error }: Failed): void => {
    if (closing.signal.aborted) return
    const reason = reasonOf(connection.name, error)
    // A connection that worked until now deserves another try before anybody is told.
    if (live) log?.warn({ reason }, 'the subscription to EventStoreDB broke; subscribing again')
    else failures = { count: failures.count + 1, reason }
    live = false
    notify()
  }

  const hurried: Pick<Clock, 'sleep'> = {
    sleep: (millis) => {
      const over = new AbortController()
      endPause = () => over.abort()
      return systemClock.sleep(millis, AbortSignal.any([over.signal, closing.signal]))
    },
  }

  return {
    recent: () => recent,
    live: () => live,
    failures: () => failures,
    hurry: () => {
      endPause()
      if (!closing.signal.aborted)
        running ??= keepTrying(follow, { clock: hurried, signal: closing.signal, onFailure })
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
