import type { System } from '../../app/system.ts'
import { batches, holds } from '../../domain/ingest/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import { whatHelps } from '../../projections/ingest/questions/room-rules.ts'
import type { BatchRow } from '../../projections/ingest/tables.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { untilDone } from '../until-done.ts'
import { workWhereNobodyDoes } from '../work-here.ts'
import { stallReporter } from './stall-reporter.ts'
import { writeOutcome } from './write-outcome.ts'

/**
 * Submits a batch and waits until its report is made, or until it waits for a person. The work is done in this process
 * if no other does it. Ends where it can never go on by itself: all that is open is held, needs more room than there can
 * be, or all ingest is paused. A batch that waits for anything else may continue at any time: the person is informed of
 * the reason. Writes the outcome of each job.
 */
export const waitForBatch = async (
  session: Session,
  system: System,
  batch: string,
  submit: () => Promise<void>,
): Promise<CliFailure | undefined> => {
  await freshViews(session, system)
  const running = await workWhereNobodyDoes(session, system, 'ingest')
  const progress = session.progress('Taking in')
  const reportStall = stallReporter(system, progress.say)
  const printed = new Set<string>()
  const reportIdle = () => {
    for (const reason of running.whyIdle()) {
      if (!printed.has(reason)) progress.say(`ingest is stopped in this process: ${reason}`)
      printed.add(reason)
    }
  }
  let done = 0
  try {
    await submit()
    const { reached, pause, stuck } = await untilDone(
      running,
      async () => {
        const reached = row(system.viewStore, batches, is('batch', batch))
        if (reached && reached.jobs > 0) progress.total(reached.jobs)
        const ended = reached ? reached.jobs - reached.open : 0
        progress.advance(Math.max(0, ended - done))
        done = Math.max(done, ended)
        reportIdle()
        const pause = row(system.viewStore, holds, is('scope', 'all'))
        const isDone = reached !== undefined && (isAtRest(reached, system.clock.now()) || pause !== undefined)
        const stuck = reached && !isDone ? await reportStall(reached) : 0
        return { isDone: isDone || (stuck > 0 && stuck === openOf(reached!)), reached, pause, stuck }
      },
      { clock: system.clock, signal: session.signal },
    )
    progress.done()
    const now = system.clock.now()
    const ended = await writeOutcome(session, system, reached!)
    if (isAtRest(reached!, now)) return ended
    if (pause)
      return refused(
        `batch ${batch} is submitted, and waits: all ingest is paused: ${pause.reason} (${pause.actor})`,
        '`fonds do ingest.unpause` lets it go on',
      )
    return refused(
      `batch ${batch} is submitted, and ${plural(stuck, 'job of it', 'jobs of it')} can never go on here: there is no volume that large`,
      `\`fonds ingest batch ${batch}\` says what is needed and what there is; ${whatHelps}`,
    )
  } catch (error) {
    progress.done()
    if (!session.signal.aborted) throw error
    return refused(
      `stopped waiting: batch ${batch} is submitted`,
      `\`fonds start\` goes on with it; \`fonds ingest batch ${batch}\` says how far it is`,
    )
  } finally {
    // Work under way for other batches was not requested here: its claims are released at once.
    await running.stop(0)
  }
}

/** Number of its open jobs that nobody holds back. */
const openOf = ({ open, held }: BatchRow): number => open - held

/** True if no further step follows by itself now; a mail may be tried again later. */
const isAtRest = ({ state, open, held, task, holder, available }: BatchRow, now: string): boolean => {
  switch (state) {
    case 'completed':
    case 'failed':
      return task !== 'mail' || (holder === null && (available ?? now) > now)
    case 'held':
    case 'deleted':
      return true
    case 'processing':
      return held > 0 && held === open
    default:
      return false
  }
}
