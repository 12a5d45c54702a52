import * as t from 'io-ts'
import { Queue } from '../../../domain/fixity/events.ts'
import { counts, items } from '../../../domain/fixity/views.ts'
import { type ConditionOn, is, rows, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'

const orNull = t.union([t.string, t.null])

export const ParkedItem = t.type({
  store: t.string,
  path: t.string,
  lastChecked: orNull,
  recordedAt: orNull,
  because: orNull,
})

interface Scope {
  readonly store: string | undefined
  readonly prefix: string | undefined
  readonly limit: number
}

/**
 * Parked items are never due: index `fixity-items (store, queue, available)` has such items together, in each store.
 */
export const parkedItems = (
  views: Pick<Views, 'query'>,
  { store, prefix, limit }: Scope,
): readonly t.TypeOf<typeof ParkedItem>[] => {
  const within: readonly ConditionOn<typeof items>[] =
    prefix === undefined ? [] : [{ column: 'path', is: 'prefix', value: prefix }]
  // Counted: if there are none, no item is read.
  const having = rowsIfFolded(views, counts, {
    where: [is('of', 'state'), is('value', 'parked'), ...(store === undefined ? [] : [is('store', store)])],
  })
  return having
    .flatMap(({ store: name }) =>
      rows(views, items, {
        where: [
          is('store', name),
          { column: 'queue', is: 'in', value: Object.keys(Queue.keys) },
          is('available', null),
          is('state', 'parked'),
          ...within,
        ],
        orderBy: [{ column: 'lastChecked' }],
        limit,
      }),
    )
    .map(({ store, path, lastChecked, recordedAt, because }) => ({
      ...{ store, path, lastChecked, recordedAt, because },
    }))
    .sort((one, other) => (sinceOf(one) < sinceOf(other) ? -1 : 1))
    .slice(0, limit)
}

const sinceOf = ({ lastChecked, recordedAt }: t.TypeOf<typeof ParkedItem>): string =>
  lastChecked ?? recordedAt ?? ''
