/* Parts of the log that a slider is drawn over, in milliseconds since 1970. */

export interface TimeSpan {
  readonly since: number
  readonly until: number
}

const day = 24 * 3600 * 1000

const lengths = [
  { name: 'a year around it', millis: 365 * day },
  { name: 'a month around it', millis: 30 * day },
  { name: 'a day around it', millis: day },
  { name: 'an hour around it', millis: day / 24 },
  { name: 'a minute around it', millis: day / 24 / 60 },
]

/** The parts that are shorter than the log. */
export const spansWithin = ({ since, until }: TimeSpan): typeof lengths =>
  lengths.filter(({ millis }) => millis < until - since)

/** So much of the log around a time: within it, and on whole seconds as it is. */
export const spanAround = ({ since, until }: TimeSpan, time: number, length: number): TimeSpan => {
  const wanted = since + Math.floor((time - length / 2 - since) / 1000) * 1000
  const begin = Math.max(since, Math.min(wanted, until - length))
  return { since: begin, until: Math.min(until, begin + length) }
}

export const isWithin = ({ since, until }: TimeSpan, time: number): boolean => since <= time && time < until
