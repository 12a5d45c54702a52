import type { Clock } from '../ports/clock.ts'

/** Cached for the millisecond: thousands of calls ask within one. */
let millis = Number.NaN
let text = ''

const now = (): string => {
  const current = Date.now()
  if (current !== millis) {
    millis = current
    text = new Date(current).toISOString()
  }
  return text
}

/** Timers of Node that are to wait longer fire at once. */
const longestMillis = 2 ** 31 - 1

export const systemClock: Clock = {
  now,
  monotonic: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  sleep: (millis, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      let remaining = millis
      let timer: NodeJS.Timeout
      const wait = () => {
        const part = Math.min(remaining, longestMillis)
        remaining -= part
        timer = setTimeout(remaining > 0 ? wait : finish, part)
      }
      wait()
      signal?.addEventListener('abort', finish, { once: true })
    }),
}
