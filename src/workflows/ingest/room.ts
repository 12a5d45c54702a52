import { workStates } from '../../domain/ingest/transitions.ts'
import { type BatchTask, batches, jobs } from '../../domain/ingest/views.ts'
import type { WorkArea } from '../../domain/ingest/work-area.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is, isSet, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { neverFitting, whatHelps, whyNever } from '../../projections/ingest/questions/room-rules.ts'
import { workRoomOf } from '../../projections/ingest/questions/work-room.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Views = Pick<WorkflowContext, 'viewStore'>

/** Causes that wait for a person: jobs that can never fit (X10, I25), jobs and batches that were put off. */
export const roomForIngest = async (system: Views, area: WorkArea): Promise<readonly Cause[]> => [
  ...(await jobsThatNeverFit(system, area)),
  ...jobsPutOff(system),
  ...batchesPutOff(system),
]

/** Measures the volume that this process sees; none if it sees none. */
const jobsThatNeverFit = async ({ viewStore }: Views, area: WorkArea): Promise<readonly Cause[]> => {
  if (!viewStore.shape(jobs.name) || countRows(viewStore, jobs, is('state', 'provisioning')) === 0) return []
  const room = await workRoomOf(area)
  if (!room) return []
  const { count, first } = neverFitting(viewStore, room, 1)
  return first.map((job) => ({
    key: 'never-fits/ingest',
    says: `${jobsWaiting(count, job)} ${whyNever(job, room)}`,
    todo: whatHelps,
    weight: count,
  }))
}

/**
 * In any step a worker puts off jobs that its machine cannot continue. Returns a cause for each step: the remedies
 * differ.
 */
const jobsPutOff = ({ viewStore }: Views): readonly Cause[] => {
  if (!viewStore.shape(jobs.name)) return []
  return workStates.flatMap((state) => {
    // Uses the index, which leaves out all jobs that wait for their turn.
    const since = { column: 'available', is: '>', value: '' } as const
    const where = [is('state', state), since, is('holder', null), isSet('putOffFor')] as const
    const count = countRows(viewStore, jobs, ...where)
    const [first] = rowsIfFolded(viewStore, jobs, { where, orderBy: [{ column: 'order' }], limit: 1 })
    if (!first) return []
    const those =
      count === 1
        ? `job ${first.job} of ingest is put off in ${state}`
        : `${plural(count, 'job')} of ingest are put off in ${state}; the first, job ${first.job}`
    return [
      {
        key: `put-off/ingest/${state}`,
        says: `${those}: ${first.putOffFor}`,
        todo: 'it goes on by itself once that is over; `fonds ingest why <job>` says what it waits for, `fonds do ingest.force-fail job=…` gives one up, and `ingest.delete-job` the room that it has',
        weight: count,
      },
    ]
  })
}

/** Batches whose payload cannot be read, or that cannot be reported, because of a machine. */
const batchesPutOff = ({ viewStore }: Views): readonly Cause[] => {
  if (!viewStore.shape(batches.name)) return []
  return batchTasks.flatMap((task) => {
    const since = { column: 'available', is: '>', value: '' } as const
    const where = [is('task', task), since, is('holder', null), isSet('putOffFor')] as const
    // Views of an older version have no such column until they are rebuilt.
    const [first] = rowsIfFolded(viewStore, batches, { where, orderBy: [{ column: 'number' }], limit: 1 })
    if (!first) return []
    const count = countRows(viewStore, batches, ...where)
    const those =
      count === 1
        ? `batch ${first.number} of ingest is put off before its ${nextOf[task]}`
        : `${plural(count, 'batch', 'batches')} of ingest are put off before their ${nextOf[task]}; the first, batch ${first.number}`
    return [
      {
        key: `put-off/ingest/batches/${task}`,
        says: `${those}: ${first.putOffFor}`,
        todo: 'it goes on by itself once that is over; `fonds ingest batch <number>` shows it',
        weight: count,
      },
    ]
  })
}

const nextOf: Readonly<Record<BatchTask, string>> = {
  open: 'payload is read',
  report: 'report',
  mail: 'mail',
}
const batchTasks = Object.keys(nextOf) as readonly BatchTask[]

const jobsWaiting = (count: number, { job }: RowOf<typeof jobs>): string =>
  count === 1
    ? `job ${job} of ingest`
    : `${plural(count, 'job')} of ingest wait for room; the first, job ${job},`
