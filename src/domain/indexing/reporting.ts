import * as E from 'fp-ts/lib/Either.js'
import { checkFence } from '../kernel/lease.ts'
import type { LoseLines, Report } from './commands.ts'
import type { IndexingEvent } from './events.ts'
import { failedJob, lostLines } from './failing.ts'
import type { JobOutcome } from './outcome.ts'
import { quietAt, stillAt } from './place.ts'
import { type Decision, reject } from './rejections.ts'
import { copyOf, type FileState } from './state.ts'

/** Decides about a worker's report under a valid claim; a report under any other is too late and rejected. */
export const report = (command: Report, state: FileState): Decision => {
  const { fence, outcome, policy, at } = command
  const held = checkFence(state.lease, fence)
  if (E.isLeft(held)) return held
  if (outcome.status === 'failed') return E.right(failedJob(state, outcome, policy, at))
  const decided = state.comparing !== undefined ? compared(command, state) : indexed(command, state)
  return decided
    ? E.right(decided)
    : reject('wrong-job', `claim ${fence} is for another job, which does not end as "${outcome.status}"`)
}

/** Has the file read again. No effect if other lines were recorded since, or its status is no longer `indexed`. */
export const loseLines = ({ digest, reason, policy, at }: LoseLines, state: FileState): Decision =>
  E.right(
    state.status === 'indexed' && state.recorded?.digest === digest
      ? lostLines(state, reason, policy, at)
      : [],
  )

/** Undefined if the outcome does not belong to such a job. */
const indexed = (
  { fence, outcome, policy, at }: Report,
  state: FileState,
): readonly IndexingEvent[] | undefined => {
  switch (outcome.status) {
    case 'indexed': {
      const { files, lines, digest, run, size, modifiedAt, warnings = [], loss, requestKeys } = outcome
      if (files !== 1) return failedJob(state, { code: 'count', reason: countReason(files) }, policy, at)
      if (loss && !state.salvages) return failedJob(state, { code: 'corrupt', reason: notAsked }, policy, at)
      const evidence = {
        lines,
        digest,
        ...(run && { run }),
        size,
        modifiedAt,
        warnings,
        ...(loss && { loss }),
        ...(requestKeys && { requestKeys }),
      }
      return [{ type: 'FileIndexed', data: { fence, ...evidence, at } }]
    }
    case 'growing': {
      const { size, modifiedAt } = outcome
      const dueAt = quietAt(modifiedAt, at, policy.graceMillis)
      return [{ type: 'IndexingDeferred', data: { size, modifiedAt, dueAt, at } }]
    }
    default:
      return undefined
  }
}

const notAsked = 'the job left out damaged parts of the file, and no salvage was requested'

/** W14: no file is no success, and with several it is unknown whose lines they are. */
const countReason = (files: number): string => `the job processed ${files} files; it must be one`

const compared = (
  { outcome, policy, at }: Report,
  state: FileState,
): readonly IndexingEvent[] | undefined => {
  const copy = copyOf(state)
  if (!copy) return undefined
  if (outcome.status === 'growing') {
    const { size, modifiedAt } = outcome
    const dueAt = quietAt(modifiedAt, at, policy.graceMillis)
    return [{ type: 'CopySighted', data: { location: copy.location, size, modifiedAt, at, dueAt } }]
  }
  return outcome.status === 'compared'
    ? [judged(outcome, { ...copy, at }, state, policy.graceMillis)]
    : undefined
}

const judged = (
  { verdict, because }: Extract<JobOutcome, { status: 'compared' }>,
  copy: Extract<IndexingEvent, { type: 'CopyConfirmed' }>['data'],
  { place, dueAt }: FileState,
  graceMillis: number,
): IndexingEvent => {
  switch (verdict) {
    case 'same':
      return { type: 'CopyConfirmed', data: copy }
    case 'different':
      return { type: 'ConflictFound', data: { ...copy, because } }
    case 'copy-gone':
      return { type: 'CopyGone', data: copy }
    case 'moved': {
      // Bytes of the same size and date count as the same: they existed a moment ago.
      const isSame = place?.size === copy.size && place?.modifiedAt === copy.modifiedAt
      return {
        type: 'FileMoved',
        data: { ...copy, dueAt: isSame ? dueAt : stillAt(copy, copy.at, graceMillis) },
      }
    }
  }
}
