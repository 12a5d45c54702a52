import { rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR, millisBetween, SECOND } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { hours } from '../../../domain/research/views.ts'
import { hourOf } from '../hour-rows.ts'
import type { Progress } from './answers.ts'

const hoursOfDay = 24

/**
 * Pairs an hour. `day`: over the last 24 clock hours with results, so that idle nights do not count, each since work began in it or in the
 * hour before. `hour`: over the last 60 minutes, with the hour before taken as even.
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
  const hasWork = new Set(worked.map(({ hour }) => hour))
  const millis = worked.reduce((sum, { hour, begunAt }) => {
    const begin = hasWork.has(hourBefore(hour)) ? hour : (begunAt ?? hour)
    // Where the clock was set back since work began, the hour counts whole.
    const end = hour === thisHour && begin <= now ? now : addMillis(hour, HOUR)
    return sum + millisBetween(begin, end)
  }, 0)
  const inHour = (begin: string) => worked.find(({ hour }) => hour === begin)?.researched ?? 0
  return {
    day: pairs / (Math.max(millis, SECOND) / HOUR),
    hour: inHour(thisHour) + inHour(hourBefore(thisHour)) * (1 - passed),
  }
}

const hourBefore = (hour: string): string => addMillis(hour, -HOUR)
