import { ago, count, plural } from '../../domain/kernel/amounts.ts'
import { is, isSet, row, rows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { variableOf } from '../../domain/kernel/setting.ts'
import { addMillis, DAY, millisBetween, SECOND } from '../../domain/kernel/time.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { clips, episodes, hours, leases, policy } from '../../domain/research/views.ts'
import { research } from '../../projections/research/projection.ts'
import { progress } from '../../projections/research/questions/progress.ts'
import { researchers } from '../../projections/research/questions/researchers.ts'
import { namedPlaces } from '../../workers/research/media/allowed-folders.ts'
import { bucketFindings } from '../bucket-findings.ts'
import { type Finding, ok, warn } from '../finding.ts'
import { innerHosts, ledInside, mostRead, type Reason } from '../inner-hosts.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { type ResearchContext, researchContext } from './context.ts'
import type { ResearchConfig } from './settings.ts'

const hosts = variableOf('mediaHosts')

export const researchChecks = async (
  context: WorkflowContext<ResearchConfig>,
): Promise<readonly Finding[]> => [
  ...researchGoesOn(context),
  ...(await mediaBuckets(researchContext(context))),
  ...(await innerHosts(hosts, context.config.mediaHosts)),
  ...ledInside(hosts, 'recording', errorsOfMedia(context.viewStore)),
]

const patienceMillis = 10 * SECOND

/** Returns what the buckets of the setting let this process do. */
const mediaBuckets = async ({ config, inspectBucket }: ResearchContext): Promise<readonly Finding[]> => {
  const { buckets } = namedPlaces(config)
  const findings = await Promise.all(
    buckets.map(async (address) =>
      bucketFindings('media', address, await inspectBucket(address, AbortSignal.timeout(patienceMillis))),
    ),
  )
  return findings.flat()
}

/** Returns a line for each obstacle to research, or one that says there is none. Parked items have a line of their own. */
export const researchGoesOn = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): readonly Finding[] => {
  if (!viewStore.live(research.name)) return []
  const now = clock.now()
  const found = [paused(viewStore), untaken(viewStore, now), late(viewStore, now)].flatMap((one) => one ?? [])
  if (found.length > 0) return found
  const { pairs, researched } = progress(viewStore, now)
  return [
    ok('research', `${count(researched)} of ${plural(pairs, 'pair')} researched; nothing is in its way`),
  ]
}

const paused = (views: Views): Finding | undefined => {
  const { pausedAt, pausedReason } = row(views, policy) ?? {}
  return typeof pausedAt === 'string'
    ? warn(
        'research',
        `handing out is paused since ${pausedAt}: ${visible(pausedReason ?? '')}`,
        '`fonds do research.resume` resumes it',
      )
    : undefined
}

const there = new Set(['busy', 'idle'])

/** Warns of items that nobody takes: no researcher is present, or half of an item's time passed although some are. */
const untaken = (views: Views, now: string): Finding | undefined => {
  const waiting = rows(views, leases, {
    where: [
      { column: 'state', is: '=', value: 'waiting' },
      { column: 'notAfter', is: '>', value: now },
    ],
    orderBy: [{ column: 'notAfter' }],
  })
  const [oldest] = waiting
  if (!oldest) return undefined
  const items = `${plural(waiting.length, 'item')} ${waiting.length === 1 ? 'waits' : 'wait'}`
  const present = researchers(views, now).filter(({ state }) => there.has(state)).length
  if (present === 0)
    return warn(
      'research',
      `${items} and no researcher is there`,
      '`fonds start` runs some, `fonds worker researcher` more',
    )
  const granted = oldest.grantedAt ?? now
  const halfLife = millisBetween(granted, oldest.notAfter ?? now) / 2
  return millisBetween(granted, now) > halfLife
    ? warn(
        'research',
        `${items}, the oldest from ${ago(granted, now)}, though ${plural(present, 'researcher')} ${present === 1 ? 'is' : 'are'} there`,
        'more researchers, or smaller items (maxClips); `fonds research leases` says who has what',
      )
    : undefined
}

/** Late results are too many if they are more than one in this many. */
const tooMany = 20

const late = (views: Views, now: string): Finding | undefined => {
  const day = rows(views, hours, {
    where: [{ column: 'hour', is: '>', value: addMillis(now, -DAY) }],
  })
  const sum = (column: 'late' | 'researched' | 'repeats') =>
    day.reduce((all, hour) => all + (hour[column] ?? 0), 0)
  const results = sum('researched') + sum('repeats')
  return sum('late') * tooMany > results
    ? warn(
        'research',
        `${count(sum('late'))} of ${plural(results, 'result')} of the last day came after the lease had ended`,
        '`fonds research anomalies` names them; are processors behind (`fonds topics`)? else longer leases: `fonds do research.set-policy leaseSeconds=…`',
      )
    : undefined
}

export const errorsOfMedia = (viewStore: WorkflowContext['viewStore']): readonly Reason[] =>
  [episodes, clips].flatMap((view) =>
    rowsIfFolded(viewStore, view, {
      where: [isSet('parkedAt'), is('withdrawnAt', null)],
      orderBy: [{ column: 'parkedAt', descending: true }],
      limit: mostRead,
    }).map(({ error }) => error),
  )
