import { viewsOf } from '../../app/config/config.ts'
import { monthsOfUse } from '../../app/copy-views.ts'
import type { System } from '../../app/system.ts'
import type { Generation } from '../../ports/view-store.ts'
import { keepsPast, wasMadeWithPast } from '../../projections/runtime/past.ts'
import { type Finding, ok } from '../../workflows/finding.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { bytes, plural } from '../output/text.ts'

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

/** Copies that older moments are folded on from, where there are or will be any. */
export const pastCopies = (system: System): readonly Finding[] => {
  const { viewCopies, config } = system
  const kept = viewCopies.kept()
  const [oldest, newest] = [kept[0], kept.at(-1)]
  if (!oldest || !newest)
    return config.pastDays === undefined || config.pastCopies === 0
      ? []
      : [ok('past copies', 'none yet: `fonds start` copies the views once a month (FONDS_PAST_COPIES)')]
  const used = monthsOfUse(system)
  const unused = kept.filter(({ month }) => !used.has(month)).length
  const size = bytes(kept.reduce((sum, copy) => sum + copy.bytes, 0))
  const months = oldest === newest ? oldest.month : `${oldest.month} to ${newest.month}`
  const says = `${plural(kept.length, 'copy', 'copies')} of the views in ${viewsOf(config).copies}, ${months}, ${size}: moments that views keep no past of are folded on from them; any may be deleted at any time`
  return [ok('past copies', unused === 0 ? says : `${says}; ${unused} of no use to this version`)]
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
