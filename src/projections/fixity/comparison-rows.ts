import type { ComparisonEvent } from '../../domain/fixity/comparison/events.ts'
import type { comparisons } from '../../domain/fixity/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

/** Older ones are dropped: nobody waits for so many. */
const maxRequests = 100

export const comparisonHandlers: Handlers<ComparisonEvent, FixityTables> = {
  StoreCompared: ({ store, differences, takenIn, at, requestedAt }, _, tables) => {
    const table = tables['fixity-comparisons']
    const before = table.get(store) ?? notCompared(store)
    const { new: fresh, missing, moved, changed, unlisted, first } = differences
    table.put({
      ...before,
      comparedAt: at,
      ...{ new: fresh, missing, moved, changed, unlisted, takenIn, first },
      requests: before.requests.filter((request) => requestedAt === undefined || request.at > requestedAt),
    })
  },
  TakeInRequested: ({ store, prefix, isFile, at }, _, tables) => {
    const table = tables['fixity-comparisons']
    const before = table.get(store) ?? notCompared(store)
    const request = { at, prefix, ...(isFile && { isFile }) }
    table.put({ ...before, requests: [...before.requests, request].slice(-maxRequests) })
  },
}

const notCompared = (store: string): RowOf<typeof comparisons> => ({
  store,
  comparedAt: null,
  ...{ new: 0, missing: 0, moved: 0, changed: 0, unlisted: 0, takenIn: 0 },
  first: { new: [], missing: [], moved: [], changed: [] },
  requests: [],
})
