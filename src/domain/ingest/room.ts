import { is, tally } from '../kernel/read-views.ts'
import type { Views } from '../kernel/view.ts'
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
  const known = tally(views, jobs, {
    by: [],
    sum: ['spaceNeeded'],
    where: [...downloading, is('sizeKnown', 1)],
  })[0]
  const unknown = tally(views, jobs, { by: [], where: [...downloading, is('sizeKnown', 0)] })[0]
  return Number(known?.spaceNeeded ?? 0) + (unknown?.count ?? 0) * unknownBytes
}

/** Returns the bytes that may be used and promised together. */
export const roomIn = ({ total }: Volume, { thresholdPercent }: RoomTerms): number =>
  (total * thresholdPercent) / 100

/** Returns the bytes that may still be promised; below 0 if more are used or promised than allowed. */
export const roomLeft = (volume: Volume, terms: RoomTerms, promised: number): number =>
  roomIn(volume, terms) - volume.used - promised
