import { span } from '../../parts/words.ts'

/** `3 months later`, `2 days earlier`: where a time moved. */
export const apart = (then: string, now: string): string => {
  const seconds = (Date.parse(now) - Date.parse(then)) / 1000
  if (seconds === 0) return 'at the same time'
  return `${span(seconds)} ${seconds > 0 ? 'later' : 'earlier'}`
}
