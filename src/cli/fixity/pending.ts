import { countRequested, dueRequests } from '../../domain/fixity/due/requested.ts'
import { atRest } from '../../domain/fixity/intact.ts'
import { items, triedInVain } from '../../domain/fixity/views.ts'
import { type ConditionOn, countRows, is, isSet, narrowRows, rows } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/* Queries for checks that have not finished. */

export type ItemCondition = ConditionOn<typeof items>
/** Items of one store. */
export interface Scope {
  readonly store: string
  /** Absent: all. */
  readonly covers?: (path: string) => boolean
  /** The same as conditions on their rows. */
  readonly where: readonly ItemCondition[]
}
/** Scopes in several stores; an item is in one of them at most. */
export type Scopes = readonly Scope[]

interface Viewing {
  readonly viewStore: ViewStore
}

export const countOf = ({ viewStore }: Viewing, scopes: Scopes, ...more: readonly ItemCondition[]): number =>
  scopes.reduce((sum, { where }) => sum + countRows(viewStore, items, ...where, ...more), 0)

const free = is('heldUntil', null)
const low = is('queue', 'low')
const isWaiting = { column: 'available', is: '!=', value: null } as const

const isScheduled = (soon: string): readonly ItemCondition[] => [
  free,
  low,
  is('attempts', 0),
  { column: 'available', is: '<=', value: soon },
]

/**
 * Returns the kinds of unfinished checks, by item row; an item is of one of them at most. Each is answered by an index.
 */
const unfinished = ({ viewStore }: Viewing, soon: string): readonly (readonly ItemCondition[])[] => [
  [free, isWaiting, is('queue', 'high')],
  isScheduled(soon),
  [isSet('heldUntil')],
  // Not `low`: the index of the queue would have all its items scanned.
  [free, isWaiting, { column: 'queue', is: '!=', value: 'high' }, triedInVain(viewStore.shape(items.name))],
]

const queues = ['high', 'low'] as const

/** Returns the requests in which items of a scope wait, with the paths of these. */
function* requestsIn({ viewStore }: Viewing, { store, covers }: Scope, soon: string) {
  for (const queue of queues)
    for (const { due, paths } of dueRequests(viewStore, store, queue, soon)) {
      const covered = covers ? paths.filter(covers) : paths
      if (covered.length > 0) yield { due, paths: covered }
    }
}

const requestedIn = (viewing: Viewing, scope: Scope, soon: string): number => {
  if (!scope.covers) return countRequested(viewing.viewStore, scope.store, soon)
  let items = 0
  for (const { paths } of requestsIn(viewing, scope, soon)) items += paths.length
  return items
}

/** Items that are due by the schedule mostly wait in a request, too, if there is one: they are counted once. */
export const pending = (viewing: Viewing, scopes: Scopes, soon: string): number => {
  const counts = unfinished(viewing, soon).map((kind) => countOf(viewing, scopes, ...kind))
  const requested = scopes.reduce((sum, scope) => sum + requestedIn(viewing, scope, soon), 0)
  const [high = 0, scheduled = 0, held = 0, again = 0] = counts
  return high + Math.max(scheduled, requested) + held + again
}

/** Counts the pending checks that nobody holds and that are due by `soon`. */
export const dueAndFree = (viewing: Viewing, scopes: Scopes, soon: string): number => {
  const due = { column: 'available', is: '<=', value: soon } as const
  const [high = 0, scheduled = 0, , again = 0] = unfinished(viewing, soon).map((kind) =>
    countOf(viewing, scopes, ...kind, due),
  )
  const requested = scopes.reduce((sum, scope) => sum + requestedIn(viewing, scope, soon), 0)
  return high + Math.max(scheduled, requested) + again
}

/** Returns whether any check is pending: fast while there are many. */
export const isPending = (
  viewing: Viewing,
  scopes: Scopes,
  soon: string,
  ...more: readonly ItemCondition[]
): boolean =>
  scopes.some((scope) => isRequested(viewing, scope, soon)) ||
  unfinished(viewing, soon).some((kind) =>
    scopes.some(
      ({ where }) =>
        narrowRows(viewing.viewStore, items, ['path'], {
          where: [...where, ...kind, ...more],
          orderBy: [{ column: 'available' }],
          limit: 1,
        }).length > 0,
    ),
  )

/** Number of rows that are read together: mostly the first one waits, and that is enough. */
const someRows = 10

/** An item that is in a request and not at rest is pending by its own row, or waits for a person. */
const isRequested = (viewing: Viewing, scope: Scope, soon: string): boolean => {
  for (const { paths } of requestsIn(viewing, scope, soon))
    for (let i = 0; i < paths.length; i += someRows) {
      const some = { column: 'path', is: 'in', value: paths.slice(i, i + someRows) } as const
      const where = [...scope.where, some, ...atRest]
      if (narrowRows(viewing.viewStore, items, ['path'], { where, limit: 1 }).length > 0) return true
    }
  return false
}

/** Returns the time at which the last of them is due. */
export const lastDue = (viewing: Viewing, scopes: Scopes, soon: string): string | undefined =>
  scopes
    .flatMap((scope) => [
      ...[...requestsIn(viewing, scope, soon)].map(({ due }) => due),
      ...unfinished(viewing, soon).flatMap((kind) =>
        rows(viewing.viewStore, items, {
          where: [...scope.where, ...kind],
          orderBy: [{ column: 'due', descending: true }],
          limit: 1,
        }).map(({ due }) => due ?? ''),
      ),
    ])
    .sort()
    .at(-1)
