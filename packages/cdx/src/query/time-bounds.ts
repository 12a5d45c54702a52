/** The first second of a truncated time: 1 to 14 digits, of longer ones the first 14. */
export const earliest = (digits: string): string => digits.slice(0, 14).padEnd(14, '0')

/** The last second of a truncated time. No line has a later time that begins with the same digits. */
export const latest = (digits: string): string => digits.slice(0, 14).padEnd(14, '9')

/** The last second of a truncated time by the calendar: `201402` is 20140228235959. */
export const lastSecond = (digits: string): string => {
  const whole = digits + '99991231235959'.slice(digits.length)
  const month = whole.slice(0, 6)
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)), 0)).getUTCDate()
  return digits.length < 8 ? month + days + whole.slice(8) : whole
}

/** Milliseconds of a time of 1 to 14 digits; missing ones are those of the earliest time. */
export const millisOf = (digits: string): number => {
  const part = (from: number, to: number, least: number) =>
    Math.max(least, Number(digits.slice(from, to) || 0))
  return Date.UTC(
    part(0, 4, 0),
    part(4, 6, 1) - 1,
    part(6, 8, 1),
    part(8, 10, 0),
    part(10, 12, 0),
    part(12, 14, 0),
  )
}
