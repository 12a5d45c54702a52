import { deskEvents } from '../../domain/research/desk/events.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { deskCategory, episodeStream } from '../../domain/research/terms.ts'
import type { Condition, ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

const pageSize = 500

/**
 * Somebody wants pairs of all episodes researched again: each episode that has results is told in its own stream (X9).
 * Heard again, after its place was lost, it means what was done when it was asked for, not what was since.
 */
export const reopenAll = (viewStore: ViewStore, viewsReach: ViewsReach): Reaction => ({
  name: 'research-reopen',
  filter: { categories: [deskCategory], types: ['ReopenRequested'] },
  async *react(event, signal) {
    const { type, data } = readOrStop(deskEvents, event)
    if (type !== 'ReopenRequested') return
    const { engines, clips, reason } = data
    const { actor } = event.metadata
    await viewsReach(event.position, signal)
    const researched: Condition = { column: 'researched', is: '>', value: 0 }
    for (let after: string | undefined; ; ) {
      const rows = viewStore.query('research-episode-results', {
        where:
          after === undefined ? [researched] : [researched, { column: 'episode', is: '>', value: after }],
        orderBy: [{ column: 'episode' }],
        limit: pageSize,
      })
      yield rows.map(({ episode }) =>
        planFor(episodeDecider, episodeStream(episode as string), {
          type: 'Reopen',
          engines,
          clips,
          reason,
          actor,
          at: event.recordedAt,
          doneBy: event.recordedAt,
        }),
      )
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return
      after = last.episode as string
    }
  },
})
