import { type ConditionOn, rows } from '../../domain/kernel/read-views.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { policyEvents } from '../../domain/research/policy/events.ts'
import { episodeStream, policyCategory } from '../../domain/research/terms.ts'
import { episodeResults } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

const pageSize = 500

/**
 * Spreads a request to reopen pairs of all episodes to each episode that has results (X9). Handled again, after a lost
 * checkpoint, it concerns results from before the request, not those since.
 */
export const reopenAll = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'research-reopen',
  filter: { categories: [policyCategory], types: ['ReopenRequested'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(policyEvents, event)
    if (type !== 'ReopenRequested') return
    const { engines, clips, reason } = data
    const { actor } = event.metadata
    await viewsReach(event.position, signal)
    const researched: ConditionOn<typeof episodeResults> = { column: 'researched', is: '>', value: 0 }
    for (let after: string | undefined; ; ) {
      const page = rows(viewStore, episodeResults, {
        where:
          after === undefined ? [researched] : [researched, { column: 'episode', is: '>', value: after }],
        orderBy: [{ column: 'episode' }],
        limit: pageSize,
      })
      yield page.map(({ episode }) =>
        routeTo(episodeDecider, episodeStream(episode), {
          type: 'Reopen',
          engines,
          clips,
          reason,
          actor,
          at: event.recordedAt,
          doneBy: event.recordedAt,
        }),
      )
      const last = page.at(-1)
      if (!last || page.length < pageSize) return
      after = last.episode
    }
  },
})
