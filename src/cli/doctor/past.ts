import type { System } from '../../app/system.ts'
import type { Generation } from '../../ports/view-store.ts'
import { keepsPast, wasMadeWithPast } from '../../projections/runtime/past.ts'
import { projectionsOf } from '../../workflows/workflow.ts'
import { plural } from '../output/text.ts'
import { type Finding, ok } from './finding.ts'

/** How much of their past views keep, and which were made otherwise than they are to be. */
export const keptPast = (system: System): Finding => {
  const { pastDays } = system.config
  const { keeping, without } = madeViews(system)
  if (pastDays === 0) {
    const wanted = 'views are to keep none of it (FONDS_PAST_DAYS=0)'
    return ok('past', keeping.length === 0 ? wanted : `${wanted}; ${otherwise(keeping, 'keep it')}`)
  }
  const wanted =
    pastDays === undefined
      ? 'views are to keep all of it (FONDS_PAST_DAYS limits it)'
      : `views are to keep ${plural(pastDays, 'day')} of it (FONDS_PAST_DAYS)`
  const begun = keeping.flatMap((live) => begunAt(system, live) ?? [])
  const kept = begun.length === 0 ? 'nothing was dropped' : `kept is ${begun.join(', ')}`
  return ok(
    'past',
    [wanted, kept, ...(without.length > 0 ? [otherwise(without, 'keep none')] : [])].join('; '),
  )
}

const otherwise = (made: readonly Generation[], how: string): string => {
  const names = made.map(({ projection }) => projection)
  const anew = names.length === 1 ? names[0] : '--all'
  return `the views of ${names.join(', ')} were made to ${how}: \`fonds rebuild ${anew}\` makes them anew`
}

const begunAt = ({ viewStore }: System, live: Generation): string | undefined => {
  const position = viewStore.pastFrom(live)
  if (position < 0n) return undefined
  const { time } = viewStore.moment(live, { position })
  return `${live.projection} from position ${position} on${time === null ? '' : ` (${time})`}`
}

/** Of what can keep its past: which does, and which was made without. */
const madeViews = ({ workflows, viewStore }: System) => {
  const [keeping, without]: [Generation[], Generation[]] = [[], []]
  for (const projection of projectionsOf(workflows)) {
    const live = viewStore.live(projection.name)
    if (live?.version !== projection.version || !keepsPast(projection)) continue
    ;(wasMadeWithPast(projection, viewStore) ? keeping : without).push(live)
  }
  return { keeping, without }
}
