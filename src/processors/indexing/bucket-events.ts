import { type BucketSource, bucketEventsTopic, filesOf } from '../../domain/indexing/bucket-events.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { fileId, fileStream } from '../../domain/indexing/file.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import { changesIn, type Notification } from '../../domain/kernel/bucket-notification.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

/**
 * Sights each new object of a bucket in every repository whose source it is below. Other objects have no effect. `sources`
 * may change while it runs.
 */
export const bucketEventsProcessor = (
  policy: Policy,
  clock: Clock,
  sources: () => readonly BucketSource[],
): Processor => ({
  name: 'fonds.indexing.bucket-events',
  topics: [bucketEventsTopic],
  route: async (messages) =>
    messages.map(({ data, source, time }) => {
      const routes = new Map<string, Route>()
      const at = earlier(time, clock.now())
      for (const change of changesIn(data as Notification))
        for (const { file, place } of filesOf(change, sources()))
          routes.set(
            fileId(file),
            routeTo(decider, fileStream(file), {
              type: 'Sight',
              file,
              place,
              kind: undefined,
              policy,
              at,
              actor: source,
            }),
          )
      return [...routes.values()]
    }),
})
