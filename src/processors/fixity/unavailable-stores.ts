import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { storeStream } from '../../domain/fixity/store/events.ts'
import { standingIn, stores } from '../../domain/fixity/views.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue } from '../runtime/ticker.ts'

/**
 * Records in the log that a store was unavailable for as long as its policy waits: workers compare the times
 * themselves.
 */
export const unavailableStores = ({ viewStore }: { readonly viewStore: ViewStore }): Overdue => ({
  name: 'fixity-gone-stores',
  passed: async (now) =>
    rowsIfFolded(viewStore, stores).flatMap((row) => {
      const standing = standingIn(row, now)
      if (row.goneAt !== null || standing.kind !== 'gone') return []
      const { store } = row
      const command = { type: 'NoteGone', store, actor: 'ticker', at: now } as const
      return [
        {
          route: routeTo(storeDecider, storeStream(store), command),
          causationId: `gone/${store}/${standing.since}`,
        },
      ]
    }),
})
