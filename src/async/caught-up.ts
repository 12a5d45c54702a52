import type { Clock } from '../ports/clock.ts'
import type { ViewStore } from '../ports/view-store.ts'
import { aborted } from './aborted.ts'

/** How far the live views of a projection are folded; -1n where there are none. */
export const livePosition = (viewStore: Pick<ViewStore, 'generations'>, projection: string): bigint =>
  viewStore.generations().find((one) => one.projection === projection && one.status === 'live')?.checkpoint
    .position ?? -1n

interface CatchingUp {
  /** How far the views are now. */
  readonly reached: () => bigint
  /** Resolves when they may have moved, `millis` later at the latest; looks again after a moment unless said. */
  readonly moved?: (millis: number, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  /** For how long it waits; for ever unless said. */
  readonly patienceMillis?: number
  readonly signal: AbortSignal
}

const pollMillis = 5

/**
 * Read your writes: resolves once views show everything up to `position`, or when patience is at its end, or when `signal`
 * aborts. Gives how far they are then.
 */
export const whenCaughtUp = async (
  position: bigint,
  { reached, moved, clock, patienceMillis = Number.POSITIVE_INFINITY, signal }: CatchingUp,
): Promise<bigint> => {
  const end = clock.monotonic() + patienceMillis
  for (;;) {
    const now = reached()
    const left = end - clock.monotonic()
    if (now >= position || left <= 0 || signal.aborted) return now
    await (moved ? moved(left, signal) : clock.sleep(Math.min(left, pollMillis), signal))
  }
}

/** Resolves at the next call of a listener, after `millis`, or when `signal` aborts. `listen` returns the way to stop it. */
export const nextCall = async (
  listen: (listener: () => void) => () => void,
  millis: number,
  { clock, signal }: Pick<CatchingUp, 'clock' | 'signal'>,
): Promise<void> => {
  const over = new AbortController()
  const stop = listen(() => over.abort())
  const either = AbortSignal.any([signal, over.signal])
  try {
    await (Number.isFinite(millis) ? clock.sleep(millis, either) : aborted(either))
  } finally {
    stop()
  }
}
