import type { RecentEvents } from '../recent-events.ts'
import type { Connection } from './connection.ts'
import { decodeEvent, positionOf } from './event-coding.ts'
import { TimedOut } from './failures.ts'
import { openSubscription, type SubscriptionItem } from './subscription.ts'

/**
 * Subscribes to the log behind the top of `recent`, and adds what comes; `onAdded` is called after each addition. Returns
 * when the signal aborts, throws when the subscription breaks.
 */
export const feed = async (
  connection: Connection,
  recent: RecentEvents,
  onAdded: () => void,
  signal: AbortSignal,
): Promise<void> => {
  const source = openSubscription(connection, recent.top(), {}, signal)
  try {
    let confirmed = false
    for (;;) {
      const items = await source.next(confirmed ? Number.POSITIVE_INFINITY : connection.timeoutMillis)
      if (signal.aborted) return
      if (items === 'quiet') throw new TimedOut('the subscription was not confirmed')
      if (items === 'over') throw new Error('the server ended the subscription')
      confirmed = true
      for (const item of items) add(item, recent)
      onAdded()
    }
  } finally {
    source.close()
  }
}

const add = (item: SubscriptionItem, recent: RecentEvents): void => {
  if ('says' in item) {
    if (item.says === 'checkpoint') recent.advance(item.position)
    return
  }
  const event = decodeEvent(item)
  const position = positionOf(item)
  if (event) recent.add(event)
  else if (position !== undefined) recent.advance(position)
}
