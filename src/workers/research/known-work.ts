import { type ConditionOn, is, row, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf, ViewShape } from '../../domain/kernel/view.ts'
import { defaultPolicy, Policy } from '../../domain/research/policy/policy.ts'
import { leases, policy } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/* A researcher's queries of views, which may not be folded yet, or unavailable. */

/** False if the views do not know: then the next extension of the lease fails. */
export const hasEnded = (viewStore: ViewStore, lease: string): boolean =>
  known(viewStore, leases, is('lease', lease))?.state === 'ended'

export const itemWaits = (viewStore: ViewStore, now: string): boolean =>
  rowsIfFolded(viewStore, leases, {
    where: [is('state', 'waiting'), { column: 'notAfter', is: '>', value: now }],
    limit: 1,
  }).length > 0

export const presenceSeconds = (viewStore: ViewStore): number => {
  const inForce = known(viewStore, policy, is('name', 'research'))?.policy
  return (Policy.is(inForce) ? inForce : defaultPolicy).presenceSeconds
}

const known = <Shape extends ViewShape>(
  viewStore: ViewStore,
  view: Shape,
  where: ConditionOn<Shape>,
): RowOf<Shape> | undefined => {
  try {
    return row(viewStore, view, where)
  } catch {
    // Not folded yet, or unavailable.
    return undefined
  }
}
