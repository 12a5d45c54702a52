export const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The days of a month by weeks, which begin on Monday; undefined is a day of another month. `month` is from 0. */
export const weeksOf = (year: number, month: number): readonly (readonly (number | undefined)[])[] => {
  const first = new Date(0)
  first.setUTCFullYear(year, month, 1)
  const next = new Date(first)
  next.setUTCMonth(month + 1)
  const length = Math.round((next.getTime() - first.getTime()) / 86_400_000)
  const before = (first.getUTCDay() + 6) % 7
  const weeks = Math.ceil((before + length) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const date = week * 7 + weekday - before + 1
      return date < 1 || date > length ? undefined : date
    }),
  )
}
