import { earlier } from '../../domain/kernel/time.ts'
import { workDecider } from '../../domain/matching/decide.ts'
import { type WorkUpdated, worksTopic } from '../../domain/matching/messages.ts'
import { workStream } from '../../domain/matching/work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

/** Routes observations by sources to the stream of each work. */
export const worksProcessor = (clock: Clock): Processor => ({
  name: 'matching-works',
  group: 'fonds.matching.works',
  topics: [worksTopic],
  route: async (messages) =>
    // `sourceModifiedAt` stays as the source says it: only `at` is held against the clock.
    messages.map(({ data, source: actor, time }) => {
      const { id, source, sourceVersion, sourceModifiedAt, state, title, links, fields } = data as WorkUpdated
      const at = earlier(time, clock.now())
      const described = { source, sourceVersion, sourceModifiedAt, state, title, links, fields }
      return [routeTo(workDecider, workStream(id), { type: 'Observe', work: id, ...described, actor, at })]
    }),
})
