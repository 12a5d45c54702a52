import * as E from 'fp-ts/lib/Either.js'
import type { Park, Rescue, Reset, Salvage } from './commands.ts'
import { fileId } from './file.ts'
import { type Decision, reject, unknownFile } from './rejections.ts'
import type { FileState } from './state.ts'

/* Decisions of a person. What a job under way still brings is not taken. */

export const park = ({ file, reason, at }: Park, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  if (state.status === 'withdrawn')
    return reject('withdrawn', `${fileId(file)} is withdrawn, and not in the queue`)
  if (state.status === 'parked') return E.right([])
  return E.right([{ type: 'FileParked', data: { by: 'person', reason, at } }])
}

/** W20: its count is zero again. */
export const rescue = ({ file, reason, at }: Rescue, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  return state.status === 'parked'
    ? E.right([{ type: 'FileRescued', data: { reason, dueAt: at } }])
    : reject(
        'not-parked',
        `${fileId(file)} is ${state.status}, not parked; indexing.reset has it indexed again`,
      )
}

export const reset = ({ file, kind, reason, at }: Reset, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  if (!state.place) return placeUnknown(file)
  if (state.kind === 'unknown' && !kind)
    return reject('kind-unknown', `the name ${file.name} does not say what it is; give the kind`)
  return E.right([{ type: 'FileReset', data: { reason, dueAt: at, ...(kind && { kind }) } }])
}

export const salvage = ({ file, reason, at }: Salvage, state: FileState): Decision => {
  if (!state.known) return unknownFile(file)
  if (state.status !== 'failed' && state.status !== 'parked')
    return reject(
      'not-failed',
      `${fileId(file)} is ${state.status}: only a file that failed, or is parked, is salvaged`,
    )
  if (!state.place) return placeUnknown(file)
  if (state.kind === 'unknown')
    return reject(
      'kind-unknown',
      `the name ${file.name} does not say what it is; indexing.reset with a kind has it read first`,
    )
  return E.right([{ type: 'FileSalvageRequested', data: { reason, dueAt: at } }])
}

const placeUnknown = (file: Reset['file']) =>
  reject('place-unknown', `the location of ${fileId(file)} is not known; have it sighted first`)
