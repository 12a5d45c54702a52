import { count, duration } from '../../../domain/kernel/amounts.ts'
import { row, rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, DAY, HOUR, millisBetween, SECOND } from '../../../domain/kernel/time.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import { hours, policy } from '../../../domain/research/views.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { hourOf } from '../hour-rows.ts'
import type { Progress } from './answers.ts'

type Forecast = Pick<Progress, 'recent' | 'forecast' | 'noForecast'>

interface Left extends Pick<Progress, 'pairs' | 'researched'> {
  /** Pairs that wait for no person and no next try. */
  readonly workable: number
}

/** Days of work that tell an idle night from a first hour. */
const daysBefore = 7

/** The last date of the one format. */
const farthest = Date.parse('9999-12-31T00:00:00.000Z')

/**
 * X1: time when what is left is done, if as much is done in each day as in the last 24 hours, idle hours included. No
 * time is given where nothing was done in them: then a sentence says why.
 */
export const forecastOf = (store: Views, left: Left, now: string): Forecast => {
  const recent = recentOf(store, now)
  const reason = reasonAgainst(store, left, recent, now)
  if (reason !== undefined) return { recent, noForecast: reason }
  const perMilli = recent.pairs / Math.max(millisBetween(recent.since, now), SECOND)
  const end = Date.parse(now) + left.workable / perMilli
  return end <= farthest
    ? { recent, forecast: new Date(end).toISOString() }
    : { recent, noForecast: 'at this speed it ends behind the year 9999' }
}

/**
 * Pairs researched in the last 24 hours, by the clock hours that are kept. Where no work was done in the days before,
 * they count since work began.
 */
const recentOf = (store: Views, now: string): Progress['recent'] => {
  const from = addMillis(hourOf(now), HOUR - DAY)
  const worked = rows(store, hours, {
    where: [
      { column: 'researched', is: '>', value: 0 },
      { column: 'hour', is: '>=', value: addMillis(from, -daysBefore * DAY) },
      { column: 'hour', is: '<=', value: now },
    ],
    orderBy: [{ column: 'hour' }],
  })
  const inDay = worked.filter(({ hour }) => hour! >= from)
  const [first] = inDay
  const isOngoing = worked.length > inDay.length
  return {
    pairs: inDay.reduce((sum, { researched }) => sum + (researched ?? 0), 0),
    // Where the clock was set back since work began, nothing says for how long it went on: the day counts whole.
    since: first && !isOngoing && begunIn(first) <= now ? begunIn(first) : from,
  }
}

const begunIn = ({ begunAt, hour }: RowOf<typeof hours>): string => begunAt ?? hour!

const reasonAgainst = (
  store: Views,
  { pairs, researched, workable }: Left,
  recent: Progress['recent'],
  now: string,
): string | undefined => {
  if (pairs === 0) return 'there is nothing to research yet'
  if (researched === pairs) return 'nothing is left'
  if (workable === 0) return 'all that is left waits for its next try or for a person, or is excluded'
  const desk = row(store, policy)
  if (desk?.pausedAt)
    return `research is paused since ${toTheSecond(desk.pausedAt)}: ${desk.pausedReason ?? ''}`
  if (recent.pairs > 0) return undefined
  const [last] = rows(store, hours, {
    where: [
      { column: 'researched', is: '>', value: 0 },
      { column: 'hour', is: '<=', value: now },
    ],
    orderBy: [{ column: 'hour', descending: true }],
    limit: 1,
  })
  return last
    ? `no pair was researched in the last 24 hours, the last one before ${toTheSecond(addMillis(last.hour!, HOUR))}`
    : researched > 0
      ? 'all that was researched is later than now: the clock was set back'
      : 'no pair was researched yet'
}

/** A sentence: what was done lately, and when it ends at that rate, or why that cannot be said. */
export const forecastLine = ({ recent, rate, forecast, noForecast, at }: Progress): string => {
  if (forecast === undefined) return `no forecast: ${noForecast ?? ''}`
  const lately = `${count(recent.pairs)} in the last ${duration(Math.max(millisBetween(recent.since, at), SECOND))}`
  const stalled = rate.hour === 0 ? ', none in the last hour' : ''
  return `${lately}${stalled}; at that rate done by ${toTheSecond(forecast)}`
}
