import type { Logger } from 'pino'
import { whileAway } from '../../../src/async/backoff.ts'
import { type Failed, keepTrying } from '../../../src/async/keep-trying.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { createRecentEvents, type RecentLimits } from '../recent-events.ts'
import type { Connection } from './connection.ts'
import { reasonOf } from './failures.ts'
import { feed } from './feed.ts'
import type { Reader } from './read.ts'
import { createTailState, type TailView } from './tail-state.ts'

interface TailOptions extends RecentLimits {
  readonly log: Pick<Logger, 'debug' | 'warn'> | undefined
}

/** The end of the log as it grows: one subscription, whoever reads it. */
export interface Tail extends TailView {
  /** Begins to subscribe where it has not, and ends the pause before the next attempt. */
  hurry(): void
  close(): Promise<void>
}

/** The client does not subscribe again after a drop; this does, from where it was. */
export const openTail = (connection: Connection, reader: Reader, { log, ...limits }: TailOptions): Tail => {
  const closing = new AbortController()
  const pause = createPause(closing.signal)
  const { grow, interrupt, end, ...view } = createTailState()
  let running: Promise<void> | undefined

  const follow = async (succeeded: () => void): Promise<void> => {
    const head = await reader.head()
    const recent = view.recent() ?? createRecentEvents(head, limits)
    const onAdded = () => {
      if (!grow(recent, head)) return
      succeeded()
      log?.debug({ position: String(recent.top()) }, 'following the log of EventStoreDB')
    }
    await feed(connection, recent, onAdded, closing.signal)
  }

  const onFailure = ({ error }: Failed): void => {
    if (closing.signal.aborted) return
    const reason = reasonOf(connection.name, error, 'all')
    if (view.live()) log?.warn({ reason }, 'the subscription to EventStoreDB dropped; subscribing again')
    interrupt(reason)
  }

  return {
    ...view,
    hurry: () => {
      pause.end()
      if (!closing.signal.aborted)
        running ??= keepTrying(follow, {
          clock: pause,
          signal: closing.signal,
          backoff: whileAway,
          onFailure,
        })
    },
    close: async () => {
      closing.abort()
      end('the event store is closed')
      await running
    },
  }
}

/** Sleeps until the time is over, `end` is called, or the signal aborts. */
const createPause = (closing: AbortSignal): Pick<Clock, 'sleep'> & { end(): void } => {
  let end = () => {}
  return {
    end: () => end(),
    sleep: (millis) => {
      const over = new AbortController()
      end = () => over.abort()
      return systemClock.sleep(millis, AbortSignal.any([over.signal, closing]))
    },
  }
}
