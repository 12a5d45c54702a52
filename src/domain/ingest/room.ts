import { type ConditionOn, countRows, is, tally } from '../kernel/read-views.ts'
import { type RowOf, ViewQueryError, type Views } from '../kernel/view.ts'
import { jobs } from './views.ts'

/** Bytes of the volume on which jobs have their files until they are stored. */
export interface Volume {
  readonly total: number
  readonly used: number
}

/** Rules for allocating the room of a work volume. */
export interface RoomTerms {
  /** The share of it that may be used. */
  readonly thresholdPercent: number
  /** Bytes counted for a job of unknown size. */
  readonly unknownBytes: number
}

/**
 * Returns the bytes promised to jobs that have room and whose files are not all downloaded yet: on the volume of a work
 * folder, including jobs without a known folder; on all volumes, if none is named. Jobs that were put off are promised
 * none: they continue where there is room.
 */
export const promisedBytes = (
  views: Pick<Views, 'tally'>,
  { unknownBytes }: RoomTerms,
  workSite?: string,
): number => {
  const downloading = [
    is('state', 'downloading'),
    is('putOffFor', null),
    ...(workSite === undefined ? [] : [{ column: 'workSite', is: 'in', value: ['', workSite] } as const]),
  ]
  const { parted, whole, unknown } = roomConditions(views)
  const sum = (column: 'workBytes' | 'spaceNeeded', where: readonly ConditionOn<typeof jobs>[]): number =>
    Number(tally(views, jobs, { by: [], sum: [column], where: [...downloading, ...where] })[0]?.[column] ?? 0)
  return (
    (parted ? sum('workBytes', parted) : 0) +
    sum('spaceNeeded', whole) +
    countRows(views, jobs, ...downloading, ...unknown) * unknownBytes
  )
}

type OnJobs = readonly ConditionOn<typeof jobs>[]

/** Jobs by where their need is: in `workBytes`, in `spaceNeeded`, or nowhere. Views of version 10 have no `workBytes`. */
export const roomConditions = (
  views: Pick<Views, 'tally'>,
): { readonly parted?: OnJobs; readonly whole: OnJobs; readonly unknown: OnJobs } => {
  const [whole, unknown] = [[is('sizeKnown', 1)], [is('sizeKnown', 0)]] as const
  const parted = [{ column: 'workBytes', is: '>=', value: 0 }] as const
  const all = is('workBytes', null)
  return hasWorkBytes(views)
    ? { parted, whole: [...whole, all], unknown: [...unknown, all] }
    : { whole, unknown }
}

const hasWorkBytes = (views: Pick<Views, 'tally'>): boolean => {
  try {
    countRows(views, jobs, is('workBytes', null), is('job', 0))
    return true
  } catch (error) {
    if (error instanceof ViewQueryError) return false
    throw error
  }
}

/** Bytes that a job needs of the work volume; null: unknown. */
export const workBytesOf = ({
  workBytes,
  spaceNeeded,
  sizeKnown,
}: Pick<RowOf<typeof jobs>, 'workBytes' | 'spaceNeeded' | 'sizeKnown'>): number | null =>
  workBytes ?? (sizeKnown === 1 ? spaceNeeded : null)

/** Returns the bytes that may be used and promised together. */
export const roomIn = ({ total }: Volume, { thresholdPercent }: RoomTerms): number =>
  (total * thresholdPercent) / 100

/** Returns the bytes that may still be promised; below 0 if more are used or promised than allowed. */
export const roomLeft = (volume: Volume, terms: RoomTerms, promised: number): number =>
  roomIn(volume, terms) - volume.used - promised
