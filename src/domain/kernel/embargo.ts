import * as t from 'io-ts'
import { Day, dayOf } from './day.ts'

/** The last day (UTC) on which nothing of a file is shown; `none`: it may be shown. */
export const EmbargoWord = t.union([Day, t.literal('none')], 'day of the calendar, as 2026-01-31, or none')
export type EmbargoWord = t.TypeOf<typeof EmbargoWord>

/** True until the day is over. `now` is ISO 8601 UTC. */
export const isEmbargoed = (until: string | null | undefined, now: string): until is string =>
  typeof until === 'string' && until !== 'none' && dayOf(now) <= until
