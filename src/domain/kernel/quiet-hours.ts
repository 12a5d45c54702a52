/** `22:00-07:00`, by the machine's clock; the end is exclusive. */
const pattern = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

interface QuietHours {
  /** Minutes of the day. */
  readonly from: number
  readonly to: number
}

/** Returns undefined if the text has another form, or if start and end are equal. */
export const parseQuietHours = (text: string): QuietHours | undefined => {
  const found = pattern.exec(text)
  if (!found) return undefined
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = found.slice(1).map(Number)
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
  return hours.from === hours.to ? undefined : hours
}

export const isQuiet = (hours: QuietHours | undefined, now: string): boolean => {
  if (!hours) return false
  const at = new Date(now)
  const minute = at.getHours() * 60 + at.getMinutes()
  const { from, to } = hours
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}
