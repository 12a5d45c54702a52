import type { FileState } from './state.ts'

/** Current state of a file: exactly one of these. docs/indexing.md has the same sentences. */
export const fileStates = {
  new: 'It is known, and was never indexed.',
  indexing: 'A worker reads it now.',
  indexed: 'It was read whole, or salvaged; the aggregator has its lines in the index within seconds.',
  changed:
    'It is not what it was when it was indexed, or is to be indexed anew; its former lines are in the index.',
  failed: 'Its last attempt failed; it is tried again, or waits to be sighted again.',
  parked: 'It failed too often, or a person parked it: it waits for a person.',
  withdrawn: 'It is not to be in the index.',
  unknown: 'Its name does not say what it is: it waits for somebody to say so.',
} as const

export type FileStatus = keyof typeof fileStates

export const fileStateOf = ({ kind, status, lease, comparing }: FileState): FileStatus => {
  if (lease && comparing === undefined) return 'indexing'
  return status === 'new' && kind === 'unknown' ? 'unknown' : status
}

/** True if the file's current content should be in the index and is not. */
export const isUnpublished = (status: FileStatus): boolean =>
  status === 'new' ||
  status === 'indexing' ||
  status === 'changed' ||
  status === 'failed' ||
  status === 'parked'
