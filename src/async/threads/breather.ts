import { setImmediate } from 'node:timers/promises'

/**
 * For a thread whose calls block: awaited between them, it lets messages in once `millis` have passed since it last
 * did. Throws if the signal was aborted by then.
 */
export const breather = (
  millis: number,
  signal?: AbortSignal,
  onBreath: () => void = () => {},
): (() => Promise<void>) => {
  let at = performance.now()
  return async () => {
    if (performance.now() - at < millis) return
    onBreath()
    await setImmediate()
    signal?.throwIfAborted()
    at = performance.now()
  }
}
