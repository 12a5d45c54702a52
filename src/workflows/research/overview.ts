import { countRows, is, isSet, row } from '../../domain/kernel/read-views.ts'
import { clips, episodes, failures, policy } from '../../domain/research/views.ts'
import { research } from '../../projections/research/projection.ts'
import type { Progress } from '../../projections/research/questions/answers.ts'
import { progress } from '../../projections/research/questions/progress.ts'
import type { Overview } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore' | 'clock'>

/** Pairs that are listened to; and what is parked. */
export const researchOverview = ({ viewStore, clock }: Known): Overview | undefined => {
  if (!viewStore.live(research.name)) return undefined
  const isPaused = typeof row(viewStore, policy)?.pausedAt === 'string'
  const parked =
    countRows(viewStore, failures, isSet('parkedAt')) +
    countRows(viewStore, episodes, isSet('parkedAt'), is('withdrawnAt', null)) +
    countRows(viewStore, clips, isSet('parkedAt'), is('withdrawnAt', null))
  const { researched, pairs, leased, rate, forecast } = progressOf({ viewStore, clock })
  const goesOn = leased > 0 || (researched < pairs && rate.hour > 0)
  return {
    underWay: goesOn
      ? [
          {
            title: 'Pairs listened to',
            page: '/research',
            done: researched,
            total: pairs,
            ...(forecast !== undefined && { until: forecast }),
          },
        ]
      : [],
    needs: parked + (isPaused ? 1 : 0),
  }
}

/** Nine tenths of the time are for others: progress reads a row for each episode. */
const calm = 9
const known = new WeakMap<Known['viewStore'], { readonly value: Progress; readonly until: number }>()

const progressOf = ({ viewStore, clock }: Known): Progress => {
  const begun = clock.monotonic()
  const before = known.get(viewStore)
  if (before && begun < before.until) return before.value
  const value = progress(viewStore, clock.now())
  const ended = clock.monotonic()
  known.set(viewStore, { value, until: ended + calm * (ended - begun) })
  return value
}
