import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonic: () => Number(process.hrtime.bigint() / 1000n) / 1000,
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
