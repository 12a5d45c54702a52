import { decider } from '../../domain/fixity/decide.ts'
import { itemId, itemStream } from '../../domain/fixity/item.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Overdue } from '../runtime/ticker.ts'

/** Claims whose deadline passed without a word: written down, so that an item that kills workers gets parked. */
export const expiredClaims = (viewStore: ViewStore): Overdue => ({
  name: 'fixity-claims',
  passed: async (now) => {
    // Before the first fold nothing was claimed.
    if (!viewStore.shape('fixity-claims')) return []
    const rows = viewStore.query('fixity-claims', {
      where: [{ column: 'deadline', is: '<=', value: now }],
      orderBy: [{ column: 'deadline' }],
      limit: 500,
    })
    return rows.map((row) => {
      const item = { store: row.store as string, path: row.path as string }
      return {
        plan: planFor(decider, itemStream(item), { type: 'ExpireClaim', item, actor: 'ticker', at: now }),
        causationId: `expiry/${itemId(item)}/${row.fence}`,
      }
    })
  },
})
