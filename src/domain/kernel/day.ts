import * as t from 'io-ts'
import { annotate } from './annotation.ts'

/* Days of the calendar in UTC, as `2026-01-31`: they compare as text. */

const written = /^\d{4}-\d{2}-\d{2}$/

/** True for a day that there is: no 31 February. */
const isDay = (text: string): boolean =>
  written.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

export const Day = annotate(t.refinement(t.string, isDay, 'day of the calendar, as 2026-01-31'), {
  type: 'string',
  format: 'date',
  pattern: written.source,
  examples: ['2026-01-31'],
})

/** Returns the day of an ISO 8601 UTC time. */
export const dayOf = (time: string): string => time.slice(0, 10)
