import type { Clock } from '../ports/clock.ts'
import { createAutoResetEvent } from './auto-reset-event.ts'
import { UnavailableError } from './unavailable.ts'

/** What is waited for did not come: nobody does the work, or it stands still. It is reported as all that is away is. */
export class NotCaughtUp extends UnavailableError {}

/** What one look at it shows. */
export interface Look {
  readonly isDone: boolean
  /** Patience begins anew whenever this changes; never where there is none. */
  readonly mark?: string | number
}

export interface Waiting {
  readonly clock: Clock
  /** Waits for so long at most; for ever unless said. */
  readonly patienceMillis?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /** Calls back when it is worth another look; returns the way to stop it. */
  readonly onChange?: (listener: () => void) => () => void
  /** Between two looks; unless said a moment, which grows at first, or for ever where `onChange` is given. */
  readonly pollMillis?: number
  /** Looking takes long where there is much: it stays a small part of the work, and is done each tenth of a second at most unless said. */
  readonly isCostly?: boolean
}

const costly = { pollMillis: 100, part: 1 / 40 }
/** What is waited for mostly comes soon: the first pauses are of 1, 2, 3 … ms. */
const maxMomentMillis = 5

/** Looks again and again, until it is done, patience is at its end, or `signal` aborts. Gives the last look. */
export const waitUntil = async <L extends Look>(
  look: () => L | Promise<L>,
  { clock, patienceMillis = Number.POSITIVE_INFINITY, signal, onChange, pollMillis, isCostly }: Waiting,
): Promise<L> => {
  const usual = (looks: number) =>
    isCostly ? costly.pollMillis : onChange ? Number.POSITIVE_INFINITY : Math.min(looks, maxMomentMillis)
  const change = createAutoResetEvent(clock)
  const stopListening = onChange?.(change.set)
  signal?.addEventListener('abort', change.set)
  let movedAt = clock.monotonic()
  let mark: Look['mark']
  try {
    for (let looks = 1; ; looks++) {
      const began = clock.monotonic()
      const seen = await look()
      const now = clock.monotonic()
      if (seen.mark !== mark) movedAt = now
      mark = seen.mark
      const left = movedAt + patienceMillis - now
      if (seen.isDone || left <= 0 || signal?.aborted) return seen
      const poll = pollMillis ?? usual(looks)
      const pause = isCostly ? Math.max(poll, (now - began) / costly.part) : poll
      await change.wait(Math.min(left, pause))
    }
  } finally {
    stopListening?.()
    signal?.removeEventListener('abort', change.set)
  }
}
