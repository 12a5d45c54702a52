import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Pass, ViewStore } from '../ports/view-store.ts'
import type { Call } from './broadcast.ts'

/** Checkpoints that move past events which change no rows. All followers of the log share a transaction for them. */
export interface PassedCheckpoints {
  /**
   * Stores it soon, in place of an earlier one of the same generation. `stored` is then called: with false if another
   * process had moved the checkpoint.
   */
  put(pass: Pass, stored: (moved: boolean) => void): void
  /** Drops a pass that is not stored yet: the checkpoint moves together with rows. */
  drop(generation: Pass['generation']): void
}

/** Pause between two transactions: they take a small part of the time, and nobody waits long for a checkpoint. */
const rest = { part: 1 / 50, minMillis: 5, maxMillis: 50 }
const retryMillis = 100

interface Waiting {
  readonly pass: Pass
  readonly stored: (moved: boolean) => void
}

interface PassedDependencies {
  readonly viewStore: Pick<ViewStore, 'pass'>
  readonly clock: Clock
  /** Called by those who wait for nothing else: waiting passes are stored at once. */
  readonly checkpointsAwaited?: Pick<Call, 'listen'>
}

/** Runs until the signal aborts. If the views cannot be written it retries: a follower with rows to write reports that. */
export const passedCheckpoints = (
  { viewStore, clock, checkpointsAwaited }: PassedDependencies,
  signal: AbortSignal,
): PassedCheckpoints => {
  let waiting = new Map<number, Waiting>()
  let isUnderWay = false
  let notBefore = Number.NEGATIVE_INFINITY

  const store = (): void => {
    if (waiting.size === 0) return
    const some = [...waiting.values()]
    const began = clock.monotonic()
    const moved = viewStore.pass(some.map(({ pass }) => pass))
    waiting = new Map()
    const now = clock.monotonic()
    notBefore = now + Math.min(Math.max((now - began) / rest.part, rest.minMillis), rest.maxMillis)
    for (const [i, { stored }] of some.entries()) stored(moved[i] ?? false)
  }

  /** Returns false if the views cannot be written now. */
  const tryToStore = (): boolean => {
    try {
      store()
      return true
    } catch {
      return false
    }
  }

  const storeSoon = async (): Promise<void> => {
    if (isUnderWay) return
    isUnderWay = true
    // All followers of the log are notified of a commit in the same turn.
    await setImmediate()
    const left = notBefore - clock.monotonic()
    if (left > 0) await clock.sleep(left, signal)
    while (!signal.aborted && !tryToStore()) await clock.sleep(retryMillis, signal)
    isUnderWay = false
  }

  const stopListening = checkpointsAwaited?.listen(tryToStore)
  const end = () => {
    stopListening?.()
    // A stop leaves nothing to be read again, unless another process is just writing.
    tryToStore()
  }
  signal.addEventListener('abort', end, { once: true })

  return {
    put: (pass, stored) => {
      waiting.set(pass.generation.id, { pass, stored })
      void storeSoon()
    },
    drop: ({ id }) => {
      waiting.delete(id)
    },
  }
}
