import { workStates } from '../../../domain/ingest/transitions.ts'
import { batches, holds, jobs, sites } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, row, rowsIfFolded, tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Found, Rule } from './audited.ts'

/**
 * Time without a move of its jobs after which a site is reported: a node may have other work, or be unavailable for a
 * moment.
 */
const stillMillis = HOUR

/** Work that waits for files of one site alone, while nothing of that site moves. */
export interface StillSite {
  readonly site: string
  readonly jobs: number
  /** Numbers of the batches of those jobs. */
  readonly ofBatches: readonly number[]
  /** Batches whose payload is at the site. */
  readonly batches: number
  /** Nothing has moved since. */
  readonly since: string
}

/**
 * Sites without a move, whose nodes may be lost for good. None while all ingest is paused: then everything stands
 * still.
 */
export const stillSites = (views: Views, now: string): readonly StillSite[] => {
  if (row(views, holds, is('scope', 'all'))) return []
  const waitingJobs = Map.groupBy(
    workStates.flatMap((state) =>
      tally(views, jobs, { by: ['site', 'batchNumber'], where: [is('state', state), anySite, free] }),
    ),
    ({ site }) => site,
  )
  const waitingBatches = Map.groupBy(
    tally(views, batches, { by: ['site'], where: [is('task', 'open'), anySite, free] }),
    ({ site }) => site,
  )
  return [...new Set([...waitingJobs.keys(), ...waitingBatches.keys()])].flatMap((site) => {
    // Older views have none, until they are rebuilt.
    const since = rowsIfFolded(views, sites, { where: [is('site', site)] })[0]?.lastMove
    if (since === undefined || since > addMillis(now, -stillMillis)) return []
    const those = waitingJobs.get(site) ?? []
    const numbers = new Set(those.map(({ batchNumber }) => batchNumber))
    return [
      {
        site,
        jobs: total(those),
        ofBatches: [...numbers].sort((one, other) => one - other),
        batches: total(waitingBatches.get(site) ?? []),
        since,
      },
    ]
  })
}

const total = (of: readonly { readonly count: number }[]): number =>
  of.reduce((sum, { count }) => sum + count, 0)

/** A sentence that continues the name of the site. */
export const whatWaitsThere = ({ jobs: some, batches: many, since }: StillSite): string => {
  const what = [
    ...(some > 0 ? [plural(some, 'job')] : []),
    ...(many > 0 ? [plural(many, 'batch', 'batches')] : []),
  ]
  return `${what.join(' and ')} wait for files that are there alone, and nothing of it has moved since ${since}`
}

export const whatHelpsThere = ({ ofBatches, batches: many }: StillSite): string => {
  const [first, ...others] = ofBatches
  const ways = [
    ...(first === undefined
      ? []
      : [
          `\`fonds do ingest.force-fail batch=${first}\` fails all open jobs of batch ${first}` +
            `${others.length > 0 ? `, and so of ${list(others)}` : ''} (\`job=…\` one alone)`,
        ]),
    ...(many === 0
      ? []
      : ['`fonds do ingest.hold-batch`, then `ingest.delete-batch`, gives a batch up that was not read']),
  ]
  return `start the node that has them; where it is gone for good, ${ways.join('; ')}`
}

const maxListed = 10

const list = (numbers: readonly number[]): string =>
  numbers.length <= maxListed
    ? numbers.join(', ')
    : `${numbers.slice(0, maxListed).join(', ')} and ${numbers.length - maxListed} more`

export const siteAway: Rule = ({ views, now }) =>
  stillSites(views, now).map(
    (still): Found => ({
      subject: `site ${still.site}`,
      says: `${whatWaitsThere(still)}: ${whatHelpsThere(still)}`,
      since: still.since,
    }),
  )

const anySite = { column: 'site', is: '>', value: '' } as const
const free = is('holder', null)
