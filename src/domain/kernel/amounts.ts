import { DAY, HOUR, MINUTE, millisBetween, SECOND } from './time.ts'

/** Numbers and times formatted for people. */

/** Created on first use: it takes longer than many a command. */
let grouped: Intl.NumberFormat | undefined

/** `12345` → `12,345`. */
export const count = (n: number | bigint): string => {
  grouped ??= new Intl.NumberFormat('en-GB')
  return grouped.format(n)
}

/** `1 file`, `12,345 files`. */
export const plural = (n: number | bigint, one: string, many = `${one}s`): string =>
  `${count(n)} ${Number(n) === 1 ? one : many}`

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** `1536` → `1.5 KiB`: three digits at most, in powers of 1024. */
export const bytes = (n: number | bigint): string => {
  let value = Number(n)
  let unit = 0
  // 1023.5 KiB would be rounded to 1024 KiB: go on to 1 MiB.
  while (Math.abs(value) >= (unit === 0 ? 1024 : 1023.5) && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || Math.abs(value) >= 99.95 ? 0 : 1
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${units[unit]}`
}

const steps: readonly (readonly [number, string])[] = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [SECOND, 's'],
]

/** Milliseconds in the two greatest units that matter: `2 h 5 min`, `12 s`, `340 ms`. */
export const duration = (millis: number): string => {
  if (millis < SECOND) return `${Math.max(0, Math.round(millis))} ms`
  const whole = Math.round(millis / SECOND) * SECOND
  const first = steps.findIndex(([size]) => whole >= size)
  const [size, name] = steps[first]!
  const next = steps[first + 1]
  const rest = next ? Math.floor((whole % size) / next[0]) : 0
  return `${Math.floor(whole / size)} ${name}${next && rest > 0 ? ` ${rest} ${next[1]}` : ''}`
}

const spans: readonly (readonly [number, string])[] = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
]

/** An instant beside now: `3 days ago`, `in 2 hours`, `just now`. Both ISO 8601 UTC. */
export const ago = (instant: string, now: string): string => {
  const millis = millisBetween(instant, now)
  const span = spans.find(([size]) => Math.abs(millis) >= size)
  if (!span) return millis < 0 ? 'in a moment' : 'just now'
  const words = plural(Math.floor(Math.abs(millis) / span[0]), span[1])
  return millis < 0 ? `in ${words}` : `${words} ago`
}
