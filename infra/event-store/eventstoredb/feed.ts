import type { RecentEvents } from '../recent-events.ts'
import type { Connection } from './connection.ts'
import { decodeEvent, isPosition, positionOf } from './event-coding.ts'
import { isTooSlow, TimedOut } from './failures.ts'
import { openSubscription } from './subscription.ts'
import type { Answer } from './wire/read-answer.ts'

/** So often in a row a subscription is opened again at once though nothing came by it. */
const mostFruitless = 3

/**
 * Subscribes to the log behind the top of `recent`, and adds what comes; `onAdded` is called after each addition. Returns
 * when the signal aborts, throws when the subscription breaks; one that was only too slow is opened again at once.
 */
export const feed = async (
  connection: Connection,
  recent: RecentEvents,
  onAdded: () => void,
  signal: AbortSignal,
): Promise<void> => {
  let fruitless = 0
  while (!signal.aborted) {
    const before = recent.top()
    try {
      await feedOnce(connection, recent, onAdded, signal)
    } catch (error) {
      fruitless = recent.top() > before ? 0 : fruitless + 1
      if (!isTooSlow(error) || fruitless > mostFruitless) throw error
    }
  }
}

const feedOnce = async (
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
      connection.places.note(recent.top())
      onAdded()
    }
  } finally {
    source.close()
  }
}

const add = (item: Answer, recent: RecentEvents): void => {
  if ('kind' in item) {
    if (item.kind === 'checkpoint' && isPosition(item.position)) recent.advance(item.position)
    return
  }
  const event = decodeEvent(item)
  const position = positionOf(item)
  if (event) recent.add(event)
  else if (position !== undefined) recent.advance(position)
}
