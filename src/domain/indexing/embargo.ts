import * as E from 'fp-ts/lib/Either.js'
import { isEmbargoed } from '../kernel/embargo.ts'
import type { Adopt, LiftEmbargo, SetEmbargo, Sight } from './commands.ts'
import type { IndexingEvent } from './events.ts'
import { fileId } from './file.ts'
import { type Decision, reject, unknownFile } from './rejections.ts'
import type { FileState } from './state.ts'

/*
 * Embargoes: nothing of a file is shown until a day is over (C19). The last word holds, of a person or of who sights
 * the file, whatever the file's state: also for one that is indexed, or that is withdrawn and may come back.
 */

/** Takes the word of a sighting or an adoption, if it has one. A day that is over ends a later one. */
export const heeded = (
  { embargoUntil, at }: Pick<Sight | Adopt, 'embargoUntil' | 'at'>,
  state: FileState,
): readonly IndexingEvent[] => {
  if (embargoUntil === undefined || embargoUntil === (state.embargoUntil ?? 'none')) return []
  return [
    embargoUntil === 'none'
      ? { type: 'EmbargoLifted', data: { at } }
      : { type: 'EmbargoSet', data: { until: embargoUntil, at } },
  ]
}

export const setEmbargo = ({ file, until, reason, at }: SetEmbargo, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  if (!isEmbargoed(until, at))
    return reject('day-over', `${until} is over; indexing.lift-embargo ends an embargo now`)
  return E.right(until === state.embargoUntil ? [] : [{ type: 'EmbargoSet', data: { until, reason, at } }])
}

export const liftEmbargo = ({ file, reason, at }: LiftEmbargo, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  return isEmbargoed(state.embargoUntil, at)
    ? E.right([{ type: 'EmbargoLifted', data: { reason, at } }])
    : reject('no-embargo', `${fileId(file)} is under no embargo`)
}
