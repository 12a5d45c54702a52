import type { Answer, Answered } from '../../api/client.ts'
import { type CountedDays, type Report, startOfDay } from './report.ts'

export const daysShown = 14

export type EventDays = Answered<Answer<'/api/v1/events/days'>>

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
