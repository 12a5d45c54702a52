import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Pass, ViewStore } from '../ports/view-store.ts'
import type { Call } from './call.ts'

/** Checkpoints that move past what concerns nobody's rows. Those of all who follow the log share a transaction. */
export interface PassedCheckpoints {
  /**
   * Stores it soon, in the place of an earlier one of the same generation. `stored` is called then: with false where somebody
   * else had moved the checkpoint.
   */
  put(pass: Pass, stored: (moved: boolean) => void): void
  /** Forgets what is not stored yet: the checkpoint moves together with rows. */
  drop(generation: Pass['generation']): void
}

/** Between two transactions: they take a small part of the time, and who waits for a checkpoint does not wait long. */
const rest = { part: 1 / 50, minMillis: 5, maxMillis: 50 }
const retryMillis = 100

interface Waiting {
  readonly pass: Pass
  readonly stored: (moved: boolean) => void
}

interface PassedDependencies {
  readonly viewStore: Pick<ViewStore, 'pass'>
  readonly clock: Clock
  /** By who waits for nothing else: what rests is stored at once. */
  readonly checkpointsAwaited?: Pick<Call, 'listen'>
}

/** Until the signal aborts. Where the views cannot be written it is tried again: who has rows to write tells of it. */
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

  /** False where the views cannot be written now. */
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
    // All who follow the log are told of a commit in the same turn.
    await setImmediate()
    const left = notBefore - clock.monotonic()
    if (left > 0) await clock.sleep(left, signal)
    while (!signal.aborted && !tryToStore()) await clock.sleep(retryMillis, signal)
    isUnderWay = false
  }

  const stopListening = checkpointsAwaited?.listen(tryToStore)
  const end = () => {
    stopListening?.()
    // A stop leaves nothing to be read once more, unless another process is just writing.
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
