import { count } from '../../domain/kernel/amounts.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { findUnsent } from '../../processors/matching/unsent.ts'
import { matching } from '../../projections/matching/projection.ts'
import { stuck } from '../../projections/matching/questions/stuck.ts'
import { withTitle } from '../../projections/matching/questions/titles.ts'
import { type Finding, ok, warn } from '../finding.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Updates that were accepted, but cannot be seen (matching M17). */
export const matchingChecks = async ({
  eventStore,
  viewStore,
  clock,
}: Pick<WorkflowContext, 'eventStore' | 'viewStore' | 'clock'>): Promise<readonly Finding[]> => {
  if (!viewStore.live(matching.name)) return []
  const unsent = await findUnsent({ eventStore, viewStore })
  const [oldest, ...others] = stuck(viewStore, clock.now(), {}, unsent)
  if (!oldest) return [ok('matching', 'no update is stuck')]
  const more = others.length > 0 ? `, and ${count(others.length)} more` : ''
  return [
    warn(
      'matching',
      `${oldest.what}: ${visible(withTitle(oldest.id, oldest.title))}, since ${oldest.since}${more}`,
      '`fonds matching stuck` says why',
    ),
  ]
}
