import type { ComparisonEvent } from '../../domain/fixity/comparison/events.ts'
import type { comparisons } from '../../domain/fixity/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

/** Older ones are dropped: nobody waits for so many. */
const maxRequests = 100

export const comparisonHandlers: Handlers<ComparisonEvent, FixityTables> = {
  StoreCompared: ({ store, differences, takenIn, at, requestedAt, answered }, _, tables) => {
    const table = tables['fixity-comparisons']
    const before = table.get(store) ?? notCompared(store)
    const { new: fresh, missing, moved, changed, unlisted, first } = differences
    table.put({
      ...before,
      comparedAt: at,
      ...{ new: fresh, missing, moved, changed, unlisted, takenIn, first },
      requests: answered
        ? without(before.requests, answered)
        : before.requests.filter((request) => requestedAt === undefined || request.at > requestedAt),
    })
  },
  TakeInRequested: ({ store, prefix, isFile, at }, _, tables) => {
    const table = tables['fixity-comparisons']
    const before = table.get(store) ?? notCompared(store)
    const request = { at, prefix, ...(isFile && { isFile }) }
    table.put({ ...before, requests: [...before.requests, request].slice(-maxRequests) })
  },
}

type Requests = RowOf<typeof comparisons>['requests']

/** Each answer takes one request away: the same may have been asked once more. */
const without = (requests: Requests, answered: Requests): Requests => {
  const left = answered.map(keyOf)
  return requests.filter((request) => {
    const i = left.indexOf(keyOf(request))
    if (i >= 0) left.splice(i, 1)
    return i < 0
  })
}

const keyOf = ({ at, prefix, isFile }: Requests[number]): string =>
  JSON.stringify([at, prefix, isFile === true])

const notCompared = (store: string): RowOf<typeof comparisons> => ({
  store,
  comparedAt: null,
  ...{ new: 0, missing: 0, moved: 0, changed: 0, unlisted: 0, takenIn: 0 },
  first: { new: [], missing: [], moved: [], changed: [] },
  requests: [],
})
