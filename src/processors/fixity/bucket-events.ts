import { bucketEventsTopic, itemsOf } from '../../domain/fixity/bucket-events.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { itemId, itemStream } from '../../domain/fixity/item.ts'
import { stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { changesIn, type Notification } from '../../domain/kernel/bucket-notification.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

/** Sends each changed object of a bucket to its item, in every store that has it. Other objects have no effect. */
export const bucketEventsProcessor = ({
  viewStore,
  clock,
}: {
  readonly viewStore: Pick<ViewStore, 'query' | 'shape'>
  readonly clock: Clock
}): Processor => ({
  name: 'fonds.fixity.bucket-events',
  topics: [bucketEventsTopic],
  route: async (messages) => {
    const inBuckets = rowsIfFolded(viewStore, stores, { where: [is('kind', 'folder')] }).flatMap(
      ({ store, root }) => (root !== null && isBucketAddress(root) ? [{ store, root }] : []),
    )
    const now = clock.now()
    return messages.map(({ data, source }) => {
      const routes = new Map<string, Route>()
      // The later one of two changes of an object in a message counts.
      for (const { at, isDeleted, ...object } of changesIn(data as Notification))
        for (const item of itemsOf(object, inBuckets))
          routes.set(
            itemId(item),
            routeTo(decider, itemStream(item), {
              type: 'SightContent',
              item,
              isDeleted,
              sightedAt: earlier(at, now),
              actor: source,
              at: now,
            }),
          )
      return [...routes.values()]
    })
  },
})
