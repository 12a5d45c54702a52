import { doneInHour } from '../../projections/kernel/questions/activity.ts'
import { matching } from '../../projections/matching/projection.ts'
import { countStuck } from '../../projections/matching/questions/stuck.ts'
import { summary } from '../../projections/matching/questions/summary.ts'
import { expectedEnd, type Overview } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Records on their way to readers; and updates that are stuck. */
export const matchingOverview = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): Overview | undefined => {
  if (!viewStore.live(matching.name)) return undefined
  const now = clock.now()
  const { works, unmatched } = summary(viewStore)
  const total = works.visible + works.invisible + works.deleted
  const until = expectedEnd(unmatched, { inHour: doneInHour(viewStore, 'matching', now), now })
  return {
    underWay:
      unmatched === 0
        ? []
        : [
            {
              title: 'Records to be matched',
              page: '/matching',
              done: Math.max(0, total - unmatched),
              total,
              ...(until !== undefined && { until }),
            },
          ],
    needs: countStuck(viewStore, now).reduce((sum, { count }) => sum + count, 0),
  }
}
