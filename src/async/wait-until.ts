import type { Clock } from '../ports/clock.ts'
import { createAutoResetEvent } from './auto-reset-event.ts'
import { UnavailableError } from './unavailable.ts'

/** The awaited state did not come: nobody does the work, or it stands still. Reported like any unavailable dependency. */
export class NotCaughtUp extends UnavailableError {}

/** The result of one poll. */
export interface Poll {
  readonly isDone: boolean
  /** Progress: patience begins again whenever this changes. Absent: it never does. */
  readonly mark?: string | number
}

export interface Waiting {
  readonly clock: Clock
  /** Most milliseconds to wait. Default: for ever. */
  readonly patienceMillis?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /** Calls back when a poll is worthwhile; returns a function that stops it. */
  readonly onChange?: (listener: () => void) => () => void
  /** Pause between two polls. Default: a moment, which grows at first; endless if `onChange` is given. */
  readonly pollMillis?: number
  /** A poll takes long on large data: polls stay a small part of the work, with a default pause of a tenth of a second. */
  readonly isCostly?: boolean
}

const costly = { pollMillis: 100, part: 1 / 40 }
/** Most awaited states come soon: the first pauses are of 1, 2, 3 … ms. */
const maxMomentMillis = 10

/** Polls until done, until patience ends, or until `signal` aborts. Returns the last result. */
export const waitUntil = async <L extends Poll>(
  poll: () => L | Promise<L>,
  { clock, patienceMillis = Number.POSITIVE_INFINITY, signal, onChange, pollMillis, isCostly }: Waiting,
): Promise<L> => {
  const usual = (polls: number) =>
    isCostly ? costly.pollMillis : onChange ? Number.POSITIVE_INFINITY : Math.min(polls, maxMomentMillis)
  const change = createAutoResetEvent(clock)
  const stopListening = onChange?.(change.set)
  signal?.addEventListener('abort', change.set)
  let movedAt = clock.monotonic()
  let mark: Poll['mark']
  try {
    for (let polls = 1; ; polls++) {
      const began = clock.monotonic()
      const seen = await poll()
      const now = clock.monotonic()
      if (seen.mark !== mark) movedAt = now
      mark = seen.mark
      const left = movedAt + patienceMillis - now
      if (seen.isDone || left <= 0 || signal?.aborted) return seen
      const interval = pollMillis ?? usual(polls)
      const pause = isCostly ? Math.max(interval, (now - began) / costly.part) : interval
      await change.wait(Math.min(left, pause))
    }
  } finally {
    stopListening?.()
    signal?.removeEventListener('abort', change.set)
  }
}
