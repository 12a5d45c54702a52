/* Numbers and times as people read them, in the words of their own country. */

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** 1234567 as 1,234,567. Positions and offsets come as text. */
export const count = (n: number | string | bigint): string =>
  whole.format(typeof n === 'string' ? BigInt(n) : n)

export const compact = (n: number): string => short.format(n)

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`

export const bytes = (n: number): string => {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB']
  const step = n < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(n) / 3))
  const size = n / 1000 ** step
  return `${step === 0 ? size : size.toPrecision(3)} ${units[step]}`
}

const two = (n: number): string => String(n).padStart(2, '0')

/** To the second, in the reader's zone; the page says which one that is. */
export const moment = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock(time)}`

export const clock = (time: Date): string =>
  `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`

/** `UTC+1`, as it holds at that time. */
export const zone = (time: Date): string => {
  const minutes = -time.getTimezoneOffset()
  const hours = Math.trunc(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`
}

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 days`, in the largest unit that fits. */
export const span = (seconds: number): string => {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return plural(Math.floor(Math.abs(seconds) / size), unit)
}

const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A day, as in `2026-01-31`, by its day and month; anything else as it is. */
export const dayWords = (day: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? dayAndMonth.format(new Date(`${day}T00:00:00Z`)) : day
