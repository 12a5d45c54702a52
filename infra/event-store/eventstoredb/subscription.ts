import { type AllStreamResolvedEvent, START } from '@eventstore/db-client'
import type { EventFilter } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { clientPosition, isPosition } from './event-coding.ts'
import { serverFilter } from './filter.ts'
import { pull, readAhead, type Source } from './pull.ts'

/** What the server says between events, in order with them. */
type Marker =
  | { readonly says: 'confirmed' }
  /** Everything up to here was searched, and what passed came before. */
  | { readonly says: 'lookedTo'; readonly position: bigint }
  /** Nothing more was waiting. Older servers (22.10) never say so. */
  | { readonly says: 'caughtUp' }

export type SubscriptionItem = AllStreamResolvedEvent | Marker

/** Events that the server searches before it sends a checkpoint. */
const searchWindow = 4096

/**
 * Everything behind `after` that passes the server's part of the filter, then what comes. The client calls back about
 * checkpoints as it decodes, ahead of the events that it has decoded but not given out yet; so they are put in line.
 */
export const openSubscription = (
  { client }: Connection,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): Source<SubscriptionItem> => {
  const putInLine = (marker: Marker) => {
    subscription.push(marker)
  }
  const subscription = client.subscribeToAll(
    {
      fromPosition: after < 0n ? START : clientPosition(after),
      filter: serverFilter(filter, {
        maxSearchWindow: searchWindow,
        checkpointInterval: 1,
        checkpointReached: (_, { commit: position }) => {
          if (isPosition(position)) putInLine({ says: 'lookedTo', position })
        },
      }),
    },
    { highWaterMark: readAhead },
  )
  subscription.on('confirmation', () => putInLine({ says: 'confirmed' }))
  subscription.on('caughtUp', () => putInLine({ says: 'caughtUp' }))
  return pull<SubscriptionItem>(subscription, () => subscription.unsubscribe(), signal)
}
