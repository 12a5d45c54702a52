import { clock, moment } from './words.ts'

/* A time in few words. The exact one stands beside it, for the pointer, for copies and on paper. */

const [minute, hour, day] = [60, 3600, 24 * 3600]

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const ofYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const ofAnyYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** `3 h ago`, `in 5 min`, `Thu 17:20`, `25 Nov`: how long ago, and from a day on when. */
export const ago = (time: Date, now: Date): string => {
  const seconds = (now.getTime() - time.getTime()) / 1000
  const size = Math.abs(seconds)
  if (size < minute) return seconds >= -5 ? 'just now' : 'in less than 1 min'
  if (size >= day) return at(time, now)
  const words = size < hour ? `${Math.floor(size / minute)} min` : `${Math.floor(size / hour)} h`
  return seconds < 0 ? `in ${words}` : `${words} ago`
}

/** `17:20:05`, `Thu 17:20`, `25 Nov`, `25 Nov 2024`: when, as it follows `since` or `until`. */
export const at = (time: Date, now: Date): string => {
  if (moment(time).slice(0, 10) === moment(now).slice(0, 10)) return clock(time)
  const days = Math.abs(now.getTime() - time.getTime()) / 1000 / day
  if (days < 6.5) return `${weekday.format(time)} ${clock(time).slice(0, 5)}`
  return (time.getFullYear() === now.getFullYear() ? ofYear : ofAnyYear).format(time)
}
