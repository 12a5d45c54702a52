import { is, tally } from '../kernel/read-views.ts'
import type { Views } from '../kernel/view.ts'
import { jobs } from './views.ts'

/** Bytes of the volume on which jobs have their files until they are stored. */
export interface Volume {
  readonly total: number
  readonly used: number
}

/** How the room of a work volume is given out. */
export interface RoomTerms {
  /** So much of it may be used. */
  readonly thresholdPercent: number
  /** What a job of unknown size counts as. */
  readonly unknownBytes: number
}

/**
 * Bytes promised to jobs that have room and whose files are not all there yet: on the volume of a work folder, with those of which nobody
 * said on which; on all, unless one is named. Those that were put off are promised none: they go on where there is room.
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

/** Bytes that may be used and promised together. */
export const roomIn = ({ total }: Volume, { thresholdPercent }: RoomTerms): number =>
  (total * thresholdPercent) / 100

/** Bytes that may still be given out; below 0 where more is used, or was promised, than may be. */
export const roomLeft = (volume: Volume, terms: RoomTerms, promised: number): number =>
  roomIn(volume, terms) - volume.used - promised
