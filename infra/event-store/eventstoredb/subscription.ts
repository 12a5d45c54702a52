import { type AllStreamResolvedEvent, START } from '@eventstore/db-client'
import type { EventFilter } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { clientPosition, isPosition } from './event-coding.ts'
import { serverFilter } from './filter.ts'
import { pull, readAhead, type Source } from './pull.ts'

/** A message of the server between events, in order with them. */
type Marker =
  | { readonly says: 'confirmed' }
  /** The log was searched up to here: all events that pass came before. */
  | { readonly says: 'checkpoint'; readonly position: bigint }
  /** Nothing more was waiting. Older servers (22.10) never say so. */
  | { readonly says: 'caughtUp' }
  /** More came than the reader took while it was live: it is sent from the log again. 24.10 alone says so. */
  | { readonly says: 'fellBehind' }

export type SubscriptionItem = AllStreamResolvedEvent | Marker

/** Events that the server searches before it sends a checkpoint. */
const searchWindow = 4096

/**
 * The events behind `after` that pass the server's part of the filter, then new ones. The client calls back about a
 * checkpoint when it decodes it, while events before that still wait in the stream. So checkpoints are pushed behind them.
 */
export const openSubscription = (
  { client }: Connection,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): Source<SubscriptionItem> => {
  const push = (marker: Marker) => {
    subscription.push(marker)
  }
  const subscription = client.subscribeToAll(
    {
      fromPosition: after < 0n ? START : clientPosition(after),
      filter: serverFilter(filter, {
        maxSearchWindow: searchWindow,
        checkpointInterval: 1,
        checkpointReached: (_, { commit: position }) => {
          if (isPosition(position)) push({ says: 'checkpoint', position })
        },
      }),
    },
    { highWaterMark: readAhead },
  )
  subscription.on('confirmation', () => push({ says: 'confirmed' }))
  subscription.on('caughtUp', () => push({ says: 'caughtUp' }))
  subscription.on('fellBehind', () => push({ says: 'fellBehind' }))
  return pull<SubscriptionItem>(subscription, () => subscription.unsubscribe(), signal)
}
