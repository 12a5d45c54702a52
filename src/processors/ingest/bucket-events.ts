import { bucketEventsTopic, placesWith } from '../../domain/ingest/bucket-events.ts'
import { dropDecider } from '../../domain/ingest/drop/decide.ts'
import { dropStream } from '../../domain/ingest/ids.ts'
import { changesIn, type Notification } from '../../domain/kernel/bucket-notification.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

/** Has a place where depositors put things listed soon once its bucket notifies of a new object. */
export const bucketEventsProcessor = (clock: Clock, places: readonly string[]): Processor => ({
  name: 'fonds.ingest.bucket-events',
  topics: [bucketEventsTopic],
  route: async (messages) =>
    messages.map(({ data, source }) => {
      const sighted = changesIn(data as Notification).flatMap((change) => placesWith(change, places))
      // A notification may be late: what counts is when it came.
      const at = clock.now()
      return [...new Set(sighted)].map((place) =>
        routeTo(dropDecider, dropStream(place), { type: 'SightDrops', at, actor: source }),
      )
    }),
})
