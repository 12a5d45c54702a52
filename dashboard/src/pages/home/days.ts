import type { Answer, Answered } from '../../api/client.ts'
import { type Report, startOfDay } from './report.ts'

export const daysShown = 14

export type EventDays = Answered<Answer<'/api/v1/events/days'>>

/** Events of some types as they are counted by day: one question for all workflows. */
export interface CountedDays {
  readonly says: string
  readonly types: readonly string[]
}

/** How many events of these types each of the last days had, as a chart. */
export const daysOf = (
  { says, types }: CountedDays,
  { data, at }: EventDays,
): NonNullable<Report['days']> => ({
  says,
  bars: Array.from({ length: daysShown }, (_, i) => {
    const day = startOfDay(daysShown - 1 - i, at).slice(0, 10)
    const there = data.days.filter((one) => one.day === day && types.includes(one.type))
    return { label: day, value: there.reduce((sum, { events }) => sum + events, 0) }
  }),
})
