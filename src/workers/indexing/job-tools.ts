import type { CdxFormat } from '@fonds/cdx'
import { MachineFailure } from '../../async/machine-failure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RemoteFiles } from './remote/remote-files.ts'
import type { IndexPool } from './threads/index-pool.ts'
import type { IndexOutcome } from './threads/messages.ts'

export interface JobTools {
  readonly pool: IndexPool
  readonly remote: RemoteFiles
  /** The folder of the index, in which runs are written. */
  readonly runs: string
  readonly format: CdxFormat
  readonly clock: Pick<Clock, 'now'>
  /** How long a file must have stood still. */
  readonly graceMillis: number
}

export interface JobWatch {
  readonly signal: AbortSignal
  readonly progress: () => void
}

/** What to throw for a job that came to no end. */
export const endedBefore = (outcome: IndexOutcome): Error => {
  if (outcome.status === 'machine') return new MachineFailure(outcome.reason)
  return new Error('reason' in outcome ? outcome.reason : 'it was ended before its end')
}
