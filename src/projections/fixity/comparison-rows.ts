import type { ComparisonEvent } from '../../domain/fixity/comparison/events.ts'
import { requestsAfter } from '../../domain/fixity/comparison/requests.ts'
import type { comparisons } from '../../domain/fixity/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

export const comparisonHandlers: Handlers<ComparisonEvent, FixityTables> = {
  StoreCompared: (data, _, tables) => {
    const { store, differences, takenIn, at } = data
    const table = tables['fixity-comparisons']
    const before = table.get(store) ?? notCompared(store)
    const { new: fresh, missing, moved, changed, unlisted, first } = differences
    table.put({
      ...before,
      comparedAt: at,
      ...{ new: fresh, missing, moved, changed, unlisted, takenIn, first },
      requests: requestsAfter(before.requests, { type: 'StoreCompared', data }),
    })
  },
  TakeInRequested: (data, _, tables) => {
    const table = tables['fixity-comparisons']
    const before = table.get(data.store) ?? notCompared(data.store)
    table.put({ ...before, requests: requestsAfter(before.requests, { type: 'TakeInRequested', data }) })
  },
}

const notCompared = (store: string): RowOf<typeof comparisons> => ({
  store,
  comparedAt: null,
  ...{ new: 0, missing: 0, moved: 0, changed: 0, unlisted: 0, takenIn: 0 },
  first: { new: [], missing: [], moved: [], changed: [] },
  requests: [],
})
