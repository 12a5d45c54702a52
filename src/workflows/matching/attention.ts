import { plural } from '../../domain/kernel/amounts.ts'
import { matching } from '../../projections/matching/projection.ts'
import { stuck } from '../../projections/matching/questions/stuck.ts'
import { type Cause, counted } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Causes that the views alone show. */
export const matchingCauses = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): readonly Cause[] => {
  const count = viewStore.live(matching.name) ? stuck(viewStore, clock.now(), {}).length : 0
  return counted(count, () => ({
    key: 'stuck/matching',
    says: `${plural(count, 'update')} of matching cannot be seen`,
    todo: '`fonds matching stuck` says which, why, and what helps',
  }))
}
