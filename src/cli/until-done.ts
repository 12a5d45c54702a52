import type { Running } from '../app/roles.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { type Poll, type Waiting, waitUntil } from '../async/wait-until.ts'

interface WaitingForWork extends Pick<Waiting, 'clock' | 'patienceMillis' | 'onChange'> {
  readonly signal: AbortSignal
}

/**
 * Polls views until work that runs in this process is done, or patience is at its end. Throws the reason of the
 * signal, and `UnavailableError` where views stand still.
 */
export const untilDone = async <L extends Poll>(
  { projections }: Pick<Running, 'projections'>,
  poll: () => L | Promise<L>,
  waiting: WaitingForWork,
): Promise<L> => {
  const pollOrFail = async (): Promise<L> => {
    const seen = await poll()
    const failed = projections?.status().find(({ state }) => state === 'failed')
    if (failed && !seen.isDone)
      throw new UnavailableError(failed.lastError ?? `the views of ${failed.projection} are stalled`)
    return seen
  }
  const last = await waitUntil(pollOrFail, { ...waiting, isCostly: true })
  if (!last.isDone) waiting.signal.throwIfAborted()
  return last
}
