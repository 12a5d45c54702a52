import { rows } from '../../../domain/kernel/read-views.ts'
import { HOUR, MINUTE, millisBetween } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { hours } from '../../../domain/research/views.ts'
import { hourOf } from '../hour-rows.ts'
import type { Progress } from './answers.ts'

const hoursOfDay = 24

/**
 * Pairs an hour. `day`: over the last 24 clock hours with work, so that idle nights do not count. `hour`: over the last 60
 * minutes, with the hour before taken as even.
 */
export const rateOf = (store: Views, now: string): Progress['rate'] => {
  const worked = rows(store, hours, {
    where: [
      { column: 'researched', is: '>', value: 0 },
      { column: 'hour', is: '<=', value: now },
    ],
    orderBy: [{ column: 'hour', descending: true }],
    limit: hoursOfDay,
  })
  const thisHour = hourOf(now)
  const passed = millisBetween(thisHour, now) / HOUR
  const pairs = worked.reduce((sum, { researched }) => sum + (researched ?? 0), 0)
  const time = worked.reduce(
    (sum, { hour }) => sum + (hour === thisHour ? Math.max(passed, MINUTE / HOUR) : 1),
    0,
  )
  const inHour = (begin: string) => worked.find(({ hour }) => hour === begin)?.researched ?? 0
  const hourBefore = new Date(Date.parse(thisHour) - HOUR).toISOString()
  return {
    day: time > 0 ? pairs / time : 0,
    hour: inHour(thisHour) + inHour(hourBefore) * (1 - passed),
  }
}

/** The last date of the one format. */
const farthest = Date.parse('9999-12-31T00:00:00.000Z')

export const forecastOf = (rate: number, left: number, now: string): string | undefined => {
  if (rate <= 0 || left <= 0) return undefined
  const end = Date.parse(now) + (left / rate) * HOUR
  return end <= farthest ? new Date(end).toISOString() : undefined
}
