import { type RoomTerms, roomIn, type Volume } from '../../domain/ingest/room.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { bytes, plural } from '../../domain/kernel/amounts.ts'
import { type ConditionOn, countRows, is, isSet, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { House } from '../../ports/house.ts'
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
  const waiting = is('state', 'provisioning')
  if (!viewStore.shape(jobs.name) || countRows(viewStore, jobs, waiting) === 0) return []
  const volume = await house.workVolume()
  if (!volume) return []
  const most = roomIn(volume, house)
  const tooLarge: readonly ConditionOn<typeof jobs>[][] = [
    [waiting, is('sizeKnown', 1), { column: 'spaceNeeded', is: '>', value: most }],
    ...(house.unknownBytes > most ? [[waiting, is('sizeKnown', 0)]] : []),
  ]
  const count = tooLarge.reduce((sum, where) => sum + countRows(viewStore, jobs, ...where), 0)
  const [first] = tooLarge
    .flatMap((where) => firstOf({ viewStore }, where))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  if (!first) return []
  return [
    {
      key: 'never-fits/ingest',
      says: `${named(count, first)} can never fit: it needs ${needOf(first, house)}, and the work volume has ${allOf(volume, house)}`,
      todo: 'have FONDS_INGEST_WORK on a larger disk, or raise FONDS_INGEST_THRESHOLD_PERCENT, and start again; `fonds do ingest.delete-job job=…` gives one up',
      weight: count,
    },
  ]
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
      todo: 'it goes on by itself once that is mended; `fonds ingest why <job>` says what it waits for, `fonds do ingest.delete-job job=…` gives one up',
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

const needOf = ({ spaceNeeded, sizeKnown }: JobRow, { unknownBytes }: RoomTerms): string =>
  sizeKnown === 1
    ? bytes(spaceNeeded)
    : `an unknown size, which counts as ${bytes(unknownBytes)} (FONDS_INGEST_UNKNOWN_BYTES)`

const allOf = (volume: Volume, terms: RoomTerms): string =>
  `${bytes(volume.total)} in all, of which ${bytes(roomIn(volume, terms))} (${terms.thresholdPercent} %) may be used`
