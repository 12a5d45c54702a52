import type { CdxFormat } from '@fonds/cdx'
import { MachineFailure } from '../../async/machine-failure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Elsewhere } from './file-stat.ts'
import type { IndexPool } from './threads/index-pool.ts'
import type { IndexOutcome } from './threads/messages.ts'

export interface JobTools {
  readonly pool: IndexPool
  readonly elsewhere: Elsewhere
  /** Folder of the index, in which runs are written. */
  readonly runs: string
  readonly format: CdxFormat
  /** Whether keys of responses say what was sent by POST or PUT. */
  readonly requestKeys: boolean
  readonly clock: Pick<Clock, 'now'>
  /** Time for which a file must not have changed. */
  readonly graceMillis: number
}

export interface JobWatch {
  readonly signal: AbortSignal
  readonly progress: () => void
}

/** Returns the error to throw for a job that did not finish. */
export const endedBefore = (outcome: IndexOutcome): Error => {
  if (outcome.status === 'machine') return new MachineFailure(outcome.reason)
  return new Error('reason' in outcome ? outcome.reason : 'it was stopped before its end')
}
