import { jobs } from '../../domain/ingest/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { type ConditionOn, countRows, is, isSet, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { House } from '../../ports/house.ts'
import {
  neverFitting as findNeverFitting,
  whatHelps,
  whyNever,
} from '../../projections/ingest/questions/room-rules.ts'
import { workRoomOf } from '../../projections/ingest/questions/work-room.ts'
import type { System } from '../system.ts'
import type { Cause } from './cause.ts'

type Views = Pick<System, 'viewStore'>

/** Jobs that wait for room, where a person must make it: those that can never fit (X10, I25), and those that filled a disk. */
export const roomForIngest = async (system: Views, house: House['ingest']): Promise<readonly Cause[]> => [
  ...(await neverFitting(system, house)),
  ...putOff(system),
]

/** On the volume that this process sees; none where it sees none. */
const neverFitting = async ({ viewStore }: Views, house: House['ingest']): Promise<readonly Cause[]> => {
  if (!viewStore.shape(jobs.name) || countRows(viewStore, jobs, is('state', 'provisioning')) === 0) return []
  const room = await workRoomOf(house)
  if (!room) return []
  const { count, first } = findNeverFitting(viewStore, room, 1)
  return first.map((job) => ({
    key: 'never-fits/ingest',
    says: `${named(count, job)} ${whyNever(job, room)}`,
    todo: whatHelps,
    weight: count,
  }))
}

/** In downloading a worker puts off what this machine has no room for, or cannot write, alone. */
const putOff = ({ viewStore }: Views): readonly Cause[] => {
  if (!viewStore.shape(jobs.name)) return []
  const where = [is('state', 'downloading'), is('holder', null), isSet('putOffFor')] as const
  const count = countRows(viewStore, jobs, ...where)
  const [first] = firstOf({ viewStore }, where)
  if (!first) return []
  return [
    {
      key: 'no-room/ingest',
      says: `${named(count, first)} cannot go on with its download: ${first.putOffFor}`,
      todo: 'it goes on by itself once that is mended; `fonds ingest why <job>` says what it waits for, `fonds do ingest.force-fail job=…` gives one up, and `ingest.delete-job` the room that it has',
      weight: count,
    },
  ]
}

type JobRow = RowOf<typeof jobs>

const firstOf = ({ viewStore }: Views, where: readonly ConditionOn<typeof jobs>[]): readonly JobRow[] =>
  rowsIfFolded(viewStore, jobs, { where: [...where], orderBy: [{ column: 'order' }], limit: 1 })

const named = (count: number, { job }: JobRow): string =>
  count === 1
    ? `job ${job} of ingest`
    : `${plural(count, 'job')} of ingest wait for room; the first, job ${job},`
