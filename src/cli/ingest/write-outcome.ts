import type { System } from '../../app/system.ts'
import { messageOf } from '../../domain/ingest/job/message.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import { type BatchReason, reasonLine } from '../../projections/ingest/questions/batch-reason.ts'
import { batchReasoner } from '../../projections/ingest/questions/batch-reasons.ts'
import type { BatchRow, JobRow } from '../../projections/ingest/tables.ts'
import type { Column, Tone } from '../../projections/runtime/shown.ts'
import { workAreaOf } from '../../workers/ingest/work-area.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { table } from '../output/table.ts'
import { count, plural } from '../output/text.ts'

/** Writes the outcome of each job, failed ones first. Programs get a line per job, and one for the batch at the end. */
export const writeOutcome = async (
  { output }: Session,
  { viewStore, clock, config }: Pick<System, 'viewStore' | 'clock' | 'config'>,
  batch: BatchRow,
): Promise<CliFailure | undefined> => {
  const asking = { now: clock.now(), of: { ingest: workAreaOf(config) } }
  const reasons = await batchReasoner(viewStore, asking)(batch)
  const all = rows(viewStore, jobs, { where: [is('batch', batch.batch)], orderBy: [{ column: 'job' }] })
  const failedFirst = [
    ...all.filter(({ state }) => state === 'failed'),
    ...all.filter(({ state }) => state !== 'failed'),
  ]
  if (output.isTTY) {
    const width = output.width()
    const shown = failedFirst.slice(0, maxShown)
    if (shown.length > 0)
      await output.write(
        table(shown.map(jobLine), columns, { colour: output.colour, ...(width !== undefined && { width }) }),
      )
    const lines = [...sentences(batch, all.length - shown.length), ...waitsOf(reasons).map(reasonLine)]
    await output.write(`${lines.join('\n')}\n`)
  } else {
    for (const job of failedFirst) await output.write(`${jsonText(jobLine(job))}\n`)
    await output.write(`${jsonText({ ...batchLine(batch), reasons })}\n`)
  }
  return failureOf(batch)
}

const maxShown = 50

const tones: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'bad', held: 'warning' }

const columns: readonly Column[] = [
  { key: 'job' },
  { key: 'state', tone: (value) => tones[String(value)] },
  { key: 'ark' },
  { key: 'version' },
  { key: 'title' },
  { key: 'message' },
]

const jobLine = ({ job, state, ark, version, localIds, title, ...row }: JobRow) => ({
  job,
  state,
  ark,
  version,
  localIds,
  title,
  message: messageOf(row),
})

const batchLine = ({ batch, number, state, jobs, completed, failed, held, deleted, message }: BatchRow) => ({
  batch,
  number,
  state,
  jobs,
  completed,
  failed,
  held,
  deleted,
  message,
})

/** The table has the failures of jobs. */
const waitsOf = (reasons: readonly BatchReason[]): readonly BatchReason[] =>
  reasons.filter(({ kind }) => kind !== 'failed' && kind !== 'failed-for-good')

const sentences = (
  { batch, number, state, jobs, completed, failed, held, message }: BatchRow,
  left: number,
): readonly string[] => [
  ...(left > 0 ? [`and ${count(left)} more: fonds ingest jobs --batch ${number ?? batch}`] : []),
  `batch ${number ?? ''} (${batch}) is ${state}: ${plural(jobs, 'job')}, ${count(completed)} completed, ` +
    `${count(failed)} failed${held > 0 ? `, ${count(held)} held` : ''}`,
  ...(message === null ? [] : [message]),
]

const failureOf = ({
  batch,
  number,
  state,
  jobs,
  failed,
  held,
  message,
}: BatchRow): CliFailure | undefined => {
  const name = number ?? batch
  if (state === 'completed') return undefined
  if (state === 'failed' && jobs === 0)
    return refused(`the payload could not be read: ${message}`, 'put it right, and submit it again')
  if (state === 'failed')
    return refused(
      `${count(failed)} of ${plural(jobs, 'job')} failed`,
      `see \`fonds ingest jobs --batch ${name} --state failed\``,
    )
  return refused(
    state === 'deleted'
      ? 'the batch was deleted'
      : `it waits for a person: ${held > 0 ? plural(held, 'job is', 'jobs are') : 'the batch is'} held`,
    `see \`fonds ingest batch ${name}\``,
  )
}
