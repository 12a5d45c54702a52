import * as E from 'fp-ts/lib/Either.js'
import { Time } from './codecs.ts'
import { addMillis, DAY, HOUR, MINUTE } from './time.ts'

const units: Readonly<Record<string, number>> = { d: DAY, h: HOUR, min: MINUTE }

/**
 * Returns the start of a period that ends now: of a duration (`7d`, `12h`, `30min`), or of a time with a zone; else
 * undefined.
 */
export const sinceOf = (text: string, now: string): string | undefined => {
  const [, amount, unit] = /^([1-9]\d{0,4})(d|h|min)$/.exec(text) ?? []
  if (unit !== undefined) return addMillis(now, -Number(amount) * units[unit]!)
  const time = Time.decode(text)
  return E.isLeft(time) ? undefined : time.right
}
