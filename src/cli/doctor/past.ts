import type { System } from '../../app/system.ts'
import { keepsPast } from '../../projections/runtime/past.ts'
import { projectionsOf } from '../../workflows/workflow.ts'
import { plural } from '../output/text.ts'
import { type Finding, ok } from './finding.ts'

/** How much of their past views keep. */
export const keptPast = ({ workflows, viewStore, config: { pastDays } }: System): Finding => {
  const begun = projectionsOf(workflows).flatMap((projection) => {
    const live = viewStore.live(projection.name)
    if (live?.version !== projection.version || !keepsPast(projection)) return []
    const position = viewStore.pastFrom(live)
    if (position < 0n) return []
    const { time } = viewStore.moment(live, { position })
    return [`${projection.name} from position ${position} on${time === null ? '' : ` (${time})`}`]
  })
  const wanted =
    pastDays === undefined
      ? 'views are to keep all of it (FONDS_PAST_DAYS limits it)'
      : `views are to keep ${plural(pastDays, 'day')} of it (FONDS_PAST_DAYS)`
  return ok(
    'past',
    begun.length === 0 ? `${wanted}; nothing was dropped` : `${wanted}; kept is ${begun.join(', ')}`,
  )
}
