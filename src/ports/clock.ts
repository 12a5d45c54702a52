/** Time from outside: now, and waiting for it. Tests own it. */
export interface Clock {
  /** ISO 8601 UTC with milliseconds. */
  now(): string
  /** Resolves after `millis`, or at once when `signal` aborts. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  sleep: (millis, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, millis)
      signal?.addEventListener('abort', finish, { once: true })
    }),
}
