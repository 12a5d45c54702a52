import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bytes, plural } from '../../domain/kernel/amounts.ts'
import { nameOf } from '../../domain/kernel/setting.ts'
import type { Generation } from '../../ports/view-store.ts'
import { keepsHistory, wasCreatedWithHistory } from '../../projections/runtime/history.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { filesBelow, sizeOf } from '../backup/checksums.ts'
import type { Config } from '../config/settings.ts'
import type { System } from '../system.ts'

/** Reports how much history the views keep, and which views were built with another setting. */
export const keptHistory = (system: System): Finding => {
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

/** Reports the monthly copies of views that an earlier Fonds left. They are neither read nor removed. */
export const historyCopies = async ({ home, pastCopies }: Config): Promise<readonly Finding[]> => [
  ...(await leftCopies(join(home, 'views-copies'))),
  ...(pastCopies === undefined
    ? []
    : [
        warn(
          'past copies',
          `pastCopies is set (${nameOf('pastCopies')}), and does nothing any more: views are not copied`,
          'unset it: leave it out of flags, environment and config file',
        ),
      ]),
]

const leftCopies = async (folder: string): Promise<readonly Finding[]> => {
  if (!existsSync(folder)) return []
  const files = await filesBelow(folder).catch(() => undefined)
  const size = files && ` (${plural(files.length, 'file')}, ${bytes(await sizeOf(folder, files))})`
  return [
    ok(
      'past copies',
      `${folder}${size ?? ''} was made by an earlier Fonds and is no longer used; remove it by hand`,
    ),
  ]
}

const otherwise = (made: readonly Generation[], how: string): string => {
  const names = made.map(({ projection }) => projection)
  const toRebuild = names.length === 1 ? names[0] : '--all'
  return `the views of ${names.join(', ')} were made to ${how}: \`fonds rebuild ${toRebuild}\` rebuilds them`
}

const begunAt = ({ viewStore }: System, live: Generation): string | undefined => {
  const position = viewStore.historyFrom(live)
  if (position < 0n) return undefined
  const { time } = viewStore.moment(live, { position })
  return `${live.projection} from position ${position} on${time === null ? '' : ` (${time})`}`
}

/** Returns the live views that can keep history: those built with it, and those built without. */
const madeViews = ({ workflows, viewStore }: System) => {
  const [keeping, without]: [Generation[], Generation[]] = [[], []]
  for (const projection of projectionsOf(workflows)) {
    const live = viewStore.live(projection.name)
    if (live?.version !== projection.version || !keepsHistory(projection)) continue
    ;(wasCreatedWithHistory(projection, viewStore) ? keeping : without).push(live)
  }
  return { keeping, without }
}
