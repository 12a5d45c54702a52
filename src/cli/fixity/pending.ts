import { items } from '../../domain/fixity/views.ts'
import { type ConditionOn, countRows, is, narrowRows, rows } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/* Which checks have not come to their end. */

export type ItemCondition = ConditionOn<typeof items>
/** Of several stores; an item is in one of them at most. */
export type Scopes = readonly (readonly ItemCondition[])[]

interface Viewing {
  readonly viewStore: ViewStore
}

export const countOf = ({ viewStore }: Viewing, scopes: Scopes, ...more: readonly ItemCondition[]): number =>
  scopes.reduce((sum, where) => sum + countRows(viewStore, items, ...where, ...more), 0)

const free = is('heldUntil', null)
const low = is('queue', 'low')
const isWaiting = { column: 'available', is: '!=', value: null } as const

/** The ways in which a check has not come to its end; an item is in one of them at most. An index answers the first two. */
const unfinished = (soon: string): Scopes => [
  [free, isWaiting, is('queue', 'high')],
  [free, low, is('attempts', 0), { column: 'available', is: '<=', value: soon }],
  [{ column: 'heldUntil', is: '!=', value: null }],
  [free, isWaiting, low, { column: 'attempts', is: '>', value: 0 }],
]

export const pending = (viewing: Viewing, scopes: Scopes, soon: string): number =>
  unfinished(soon).reduce((sum, kind) => sum + countOf(viewing, scopes, ...kind), 0)

/** Whether there is any: while there is much to do it is found at once. */
export const isPending = (
  { viewStore }: Viewing,
  scopes: Scopes,
  soon: string,
  ...more: readonly ItemCondition[]
): boolean =>
  unfinished(soon).some((kind) =>
    scopes.some(
      (where) =>
        narrowRows(viewStore, items, ['path'], {
          where: [...where, ...kind, ...more],
          orderBy: [{ column: 'available' }],
          limit: 1,
        }).length > 0,
    ),
  )

/** When the last of them is due. */
export const lastDue = ({ viewStore }: Viewing, scopes: Scopes, soon: string): string | undefined =>
  scopes
    .flatMap((where) =>
      unfinished(soon).flatMap((kind) =>
        rows(viewStore, items, {
          where: [...where, ...kind],
          orderBy: [{ column: 'due', descending: true }],
          limit: 1,
        }),
      ),
    )
    .map(({ due }) => due ?? '')
    .sort()
    .at(-1)
