import type { System } from '../../app/system.ts'
import { workStates } from '../../domain/ingest/transitions.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { whyReasons } from '../../projections/ingest/questions/why.ts'
import type { BatchRow } from '../../projections/ingest/tables.ts'
import { workAreaOf } from '../../workers/ingest/work-area.ts'

/** Time without progress after which a batch is inspected. */
const stillMillis = 3 * SECOND

/** Reports why a batch makes no progress, by its first open job: each reason once. */
export const stallReporter = (
  { viewStore, clock, config }: Pick<System, 'viewStore' | 'clock' | 'config'>,
  say: (line: string) => void,
): ((batch: BatchRow) => Promise<void>) => {
  const of = { ingest: workAreaOf(config) }
  const reported = new Set<string>()
  let mark = ''
  let checkedAt = 0

  return async ({ batch, number, lastModified }) => {
    const now = clock.monotonic()
    const moved = lastModified !== mark
    mark = lastModified
    if (!moved && now - checkedAt < stillMillis) return
    checkedAt = now
    if (moved) return
    const open = { column: 'state', is: 'in', value: workStates } as const
    const [job] = rows(viewStore, jobs, {
      where: [is('batch', batch), open],
      orderBy: [{ column: 'job' }],
      limit: 1,
    })
    if (!job) return
    const [reason] = await whyReasons(viewStore, job, { now: clock.now(), of })
    if (!reason || reason.kind === 'claimed' || reported.has(reason.kind)) return
    reported.add(reason.kind)
    say(`batch ${number}: job ${job.job} is ${job.state}: ${reason.says}`)
  }
}
