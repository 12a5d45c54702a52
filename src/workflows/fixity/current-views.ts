import { orThrow } from '../../async/unavailable.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { fixity } from '../../projections/fixity/projection.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/**
 * Resolves once the views have all that the log has now: views that are just being folded lack what is recorded. Throws
 * `UnavailableError` when that takes too long.
 */
export const viewsAreCurrent = async (
  context: Pick<WorkflowContext, 'eventStore' | 'viewStore' | 'clock'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> => {
  const head = await orThrow(context.eventStore.head())
  await viewsReachOf(fixity.name, context)(head, signal)
}
