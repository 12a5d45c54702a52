import { workStates } from '../../../domain/ingest/transitions.ts'
import { batches, holds, jobs } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { type ConditionOn, is, row, rows, tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Found, Rule } from './audited.ts'

/** A node may have other work, or be away for a moment: so long none of its jobs has moved. */
const stillMillis = HOUR

/**
 * What waits for files that one node alone has, and nothing of that node moves: it may be gone for good. While all ingest is
 * paused everything stands still.
 */
export const siteAway: Rule = ({ views, now }) => {
  if (row(views, holds, is('scope', 'all'))) return []
  const waitingJobs = workStates.flatMap((state) =>
    tally(views, jobs, { by: ['site'], where: [is('state', state), anySite, free] }),
  )
  const waitingBatches = tally(views, batches, { by: ['site'], where: [is('task', 'open'), anySite, free] })
  const sites = new Set([...waitingJobs, ...waitingBatches].map(({ site }) => site))
  return [...sites].flatMap((site): readonly Found[] => {
    const since = lastMove(views, site)
    if (since === undefined || since > addMillis(now, -stillMillis)) return []
    const count = (of: readonly { readonly site: string; readonly count: number }[]) =>
      of.reduce((sum, one) => sum + (one.site === site ? one.count : 0), 0)
    const [some, many] = [count(waitingJobs), count(waitingBatches)]
    const what = [
      ...(some > 0 ? [plural(some, 'job')] : []),
      ...(many > 0 ? [plural(many, 'batch', 'batches')] : []),
    ]
    return [
      {
        subject: `site ${site}`,
        says:
          `${what.join(' and ')} wait for files that are there alone, and nothing of it has moved since ${since}: start the node that has them; ` +
          'where it is gone for good, `fonds do ingest.force-fail` each job, `fonds do ingest.hold-batch` and `ingest.delete-batch` each batch',
        since,
      },
    ]
  })
}

const anySite = { column: 'site', is: '>', value: '' } as const
const free = is('holder', null)

/** Of all that came from the site, or is there. */
const lastMove = (views: Views, site: string): string | undefined => {
  const ofJobs = (where: ConditionOn<typeof jobs>) =>
    rows(views, jobs, {
      where: [where],
      orderBy: [{ column: 'lastModified', descending: true }],
      limit: 1,
    }).map(({ lastModified }) => lastModified)
  const ofBatches = rows(views, batches, {
    where: [is('site', site)],
    orderBy: [{ column: 'lastModified', descending: true }],
    limit: 1,
  }).map(({ lastModified }) => lastModified)
  return [...ofJobs(is('sourceSite', site)), ...ofJobs(is('workSite', site)), ...ofBatches].sort().at(-1)
}
