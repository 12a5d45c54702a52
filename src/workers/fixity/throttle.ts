import type { Clock } from '../../ports/clock.ts'

/**
 * One budget of bytes per second for all threads. Each thread reserves the next free time slot in shared memory and waits
 * for its start. Threads reserve a chunk at a time and are served in order, which is fair.
 */
export interface ThrottleState {
  readonly bytesPerSecond: number
  /** One 64-bit integer: the time, in nanoseconds of the process's clock, at which the budget is free again. */
  readonly freeAt: SharedArrayBuffer
}

export const createThrottleState = (bytesPerSecond: number): ThrottleState => {
  if (!(bytesPerSecond > 0))
    throw new RangeError(`bytesPerSecond: wants a number above 0, got ${bytesPerSecond}`)
  return { bytesPerSecond, freeAt: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT) }
}

/** Undefined if no rate is set. */
export const throttleTo = (bytesPerSecond: number | undefined): ThrottleState | undefined =>
  bytesPerSecond === undefined ? undefined : createThrottleState(bytesPerSecond)

/** Reserves `bytes`; returns the nanoseconds to wait before they may be read. */
export const reserve = (state: ThrottleState, bytes: number, now: bigint): bigint => {
  const freeAt = new BigInt64Array(state.freeAt)
  const cost = BigInt(Math.ceil((bytes / state.bytesPerSecond) * 1e9))
  for (;;) {
    const seen = Atomics.load(freeAt, 0)
    const start = seen > now ? seen : now
    if (Atomics.compareExchange(freeAt, 0, seen, start + cost) === seen) return start - now
  }
}

/** Shorter than any stall. */
const longestStepMillis = 250

/** Waits until `bytes` may be read. `onWait` is called four times a second, so that waiting is not taken for a stall. */
export const waitForBudget = async (
  state: ThrottleState,
  bytes: number,
  sleep: Clock['sleep'],
  onWait: () => void,
  signal: AbortSignal,
): Promise<void> => {
  let millis = Number(reserve(state, bytes, process.hrtime.bigint()) / 1_000_000n)
  while (millis > 0 && !signal.aborted) {
    onWait()
    const step = Math.min(millis, longestStepMillis)
    await sleep(step, signal)
    millis -= step
  }
}
