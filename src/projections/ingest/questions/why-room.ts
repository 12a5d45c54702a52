import {
  promisedBytes,
  type RoomTerms,
  roomIn,
  roomLeft,
  type Volume,
  workBytesOf,
} from '../../../domain/ingest/room.ts'
import { claims, jobs } from '../../../domain/ingest/views.ts'
import { bytes, plural } from '../../../domain/kernel/amounts.ts'
import { countRows, is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { JobRow } from '../tables.ts'
import type { WhyReason } from './why-answer.ts'

/** A job in provisioning: the room that it needs, and the room there is (I25). */
export const waitsForRoom = (
  views: Views,
  row: JobRow,
  terms: RoomTerms,
  volume: Volume | undefined,
): WhyReason => {
  const needed = workBytesOf(row)
  const others = countRows(views, jobs, is('state', 'downloading'))
  const promised = promisedBytes(views, terms)
  const given =
    others === 0
      ? 'nothing is promised to others'
      : `${bytes(promised)} are promised to ${plural(others, 'job')} before it`
  const sentence = `it waits for room on the work volume: it needs ${needOf(needed, terms)}, ${given}`
  const facts = { kind: 'waits-for-room', bytes: needed, promisedBytes: promised } as const
  if (!volume) return { ...facts, says: sentence }
  const leftBytes = Math.floor(roomLeft(volume, terms, promised))
  const mostBytes = Math.floor(roomIn(volume, terms))
  const measured = { ...facts, leftBytes, mostBytes }
  if ((needed ?? terms.unknownBytes) > mostBytes)
    return {
      ...measured,
      never: true,
      says: `${sentence}, and of the ${bytes(volume.total)} there no more than ${bytes(mostBytes)} (${terms.thresholdPercent} %) may ever be used: it can never fit`,
    }
  const fits = (needed ?? terms.unknownBytes) <= leftBytes
  const left = `${leftBytes > 0 ? bytes(leftBytes) : 'nothing'} is left`
  return { ...measured, says: `${sentence}, and ${left}${fits ? givenOutBy(views) : ''}` }
}

/** There is room: names the one process that gives it out. */
const givenOutBy = (views: Views): string => {
  const [giver] = rows(views, claims, { where: [is('kind', 'volume')], limit: 1 })
  return giver ? `; ${giver.holder} gives it out, where it is heard of again before ${giver.deadline}` : ''
}

const needOf = (needed: number | null, { unknownBytes }: RoomTerms): string =>
  needed === null ? `an unknown size, which counts as ${bytes(unknownBytes)}` : bytes(needed)

/**
 * A job that storage had no room for, and that is larger than its whole disk (X17). Not before it was tried: equal files
 * are stored once.
 */
export const isTooLargeToStore = (
  { state, putOffFor, spaceNeeded }: Pick<JobRow, 'state' | 'putOffFor' | 'spaceNeeded'>,
  { total }: Volume,
): boolean => state === 'storing' && putOffFor !== null && spaceNeeded > total

export const tooLargeToStore = (row: JobRow, volume: Volume | undefined): readonly WhyReason[] =>
  volume && isTooLargeToStore(row, volume)
    ? [
        {
          kind: 'storage-too-small',
          bytes: row.spaceNeeded,
          mostBytes: volume.total,
          never: true,
          says: `it can never be stored: it needs ${bytes(row.spaceNeeded)}, and the disk of the storage root has ${bytes(volume.total)} in all`,
        },
      ]
    : []
