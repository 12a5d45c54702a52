const wholeDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/i
const partOfDate = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)Z)?)?)?$/i
const dateWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d\d:?\d\d$/

/**
 * 14 digits of a WARC date, in UTC. The date may have a fraction of a second or an offset, or be a partial
 * date (WARC 1.1), whose beginning is meant. Undefined if it is invalid.
 */
export const timestampOfDate = (date: string): string | undefined => {
  if (wholeDate.test(date))
    return (
      date.slice(0, 4) +
      date.slice(5, 7) +
      date.slice(8, 10) +
      date.slice(11, 13) +
      date.slice(14, 16) +
      date.slice(17, 19)
    )
  const part = partOfDate.exec(date)
  if (part) {
    const [, year, month = '01', day = '01', hour = '00', minute = '00'] = part
    return `${year}${month}${day}${hour}${minute}00`
  }
  const time = dateWithOffset.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

/** 14 digits of an ARC date, which may be longer; undefined if it is invalid. */
export const timestampOfDigits = (digits: string): string | undefined =>
  /^\d{12,18}$/.test(digits) ? digits.slice(0, 14).padEnd(14, '0') : undefined
