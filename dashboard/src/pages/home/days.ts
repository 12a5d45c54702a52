import { get } from '../../api/client.ts'
import { type Report, startOfDay } from './report.ts'

const daysShown = 14

/** How many events of some types each of the last days had, as a chart. */
export const daysOf = async (
  says: string,
  type: readonly string[],
  signal: AbortSignal,
): Promise<NonNullable<Report['days']>> => {
  const { data, at } = await get(
    '/api/v1/events/days',
    { query: { type: [...type], days: daysShown } },
    signal,
  )
  return {
    says,
    bars: Array.from({ length: daysShown }, (_, i) => {
      const day = startOfDay(daysShown - 1 - i, at).slice(0, 10)
      const there = data.days.filter((one) => one.day === day)
      return { label: day, value: there.reduce((sum, { events }) => sum + events, 0) }
    }),
  }
}
