const day = String.raw`\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?`
const time = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?`
const shape = new RegExp(`^${day}(?:(?<=\\d{4}-\\d{2}-\\d{2})${time})?$`)
const withZone = /T.*(?:Z|[+-]\d{2}:?\d{2})$/

/** True for a year, a month, a day, or a time of ISO 8601, extended form; of an interval both ends. */
export const isIsoDate = (text: string): boolean => {
  const ends = text.split('/')
  return ends.length <= 2 && ends.every((end) => shape.test(end) && isInCalendar(end))
}

/** True for a moment: a day with a time and its offset from UTC. */
export const isMoment = (text: string): boolean =>
  withZone.test(text) && !text.includes('/') && isIsoDate(text)

/** False for the 30th of February. */
const isInCalendar = (text: string): boolean => {
  const [year, month, date] = text.slice(0, 10).split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return true
  return date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
