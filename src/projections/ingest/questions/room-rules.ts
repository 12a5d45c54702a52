import { roomConditions, roomIn, workBytesOf } from '../../../domain/ingest/room.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { bytes } from '../../../domain/kernel/amounts.ts'
import { type ConditionOn, countRows, is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { JobRow } from '../tables.ts'
import { maxFoundByRule, ofJob, type Rule } from './audited.ts'
import type { WorkRoom } from './work-room.ts'

/**
 * Jobs in provisioning, of one batch or of all, that need more than may ever be used (X10, I25): how many, and the first
 * of them.
 */
export const neverFitting = (
  views: Pick<Views, 'query' | 'tally'>,
  { volume, terms }: WorkRoom,
  limit: number,
  batch?: string,
): { readonly count: number; readonly first: readonly JobRow[] } => {
  const most = roomIn(volume, terms)
  const waiting = [is('state', 'provisioning'), ...(batch === undefined ? [] : [is('batch', batch)])] as const
  const { parted, whole, unknown } = roomConditions(views)
  const tooLarge: readonly (readonly ConditionOn<typeof jobs>[])[] = [
    ...(parted ? [[...waiting, { column: 'workBytes', is: '>', value: most } as const]] : []),
    [...waiting, ...whole, { column: 'spaceNeeded', is: '>', value: most }],
    ...(terms.unknownBytes > most ? [[...waiting, ...unknown]] : []),
  ]
  return {
    count: tooLarge.reduce((sum, where) => sum + countRows(views, jobs, ...where), 0),
    first: tooLarge
      .flatMap((where) =>
        rowsIfFolded(views, jobs, { where: [...where], orderBy: [{ column: 'order' }], limit }),
      )
      .toSorted((one, other) => (one.order < other.order ? -1 : 1))
      .slice(0, limit),
  }
}

/** A sentence that continues the name of the job. */
export const whyNever = (row: JobRow, { volume, terms }: WorkRoom): string => {
  const known = workBytesOf(row)
  const needed =
    known !== null
      ? bytes(known)
      : `an unknown size, which counts as ${bytes(terms.unknownBytes)} (FONDS_INGEST_UNKNOWN_BYTES)`
  return `can never fit: it needs ${needed}, and the work volume has ${bytes(volume.total)} in all, of which ${bytes(roomIn(volume, terms))} (${terms.thresholdPercent} %) may be used`
}

export const whatHelps =
  'have FONDS_INGEST_WORK on a larger disk, or raise FONDS_INGEST_THRESHOLD_PERCENT, and start again; `fonds do ingest.force-fail job=…` gives one up'

export const neverFits: Rule = ({ views, room }) =>
  room
    ? neverFitting(views, room, maxFoundByRule).first.map((row) =>
        ofJob(row, `it ${whyNever(row, room)}: ${whatHelps}`),
      )
    : []
