import { type Decoded, quoted, textOf, wrong } from '@fonds/cdx/server'
import { isRight, right } from 'fp-ts/lib/Either.js'
import { Time } from '../../../domain/kernel/codecs.ts'

/** A position of the log, or the end of a time (RFC 3339, UTC). */
export type AsOf = { readonly position: bigint } | { readonly time: string }

/** `asOf`: a day means its end (UTC), a number a position. */
export const asOfAsked = (parameters: URLSearchParams): Decoded<AsOf | undefined> => {
  const text = textOf(parameters, 'asOf')
  if (text === undefined) return right(undefined)
  if (/^\d{1,18}$/.test(text)) return right({ position: BigInt(text) })
  // A plus sign that was not encoded arrives as a blank.
  const time = Time.decode(isDay.test(text) ? `${text}T23:59:59.999Z` : text.replace(' ', '+'))
  return isRight(time)
    ? right({ time: time.right })
    : wrong(
        'asOf',
        `is ${quoted(text)}; send a day (2026-01-31), a time (2026-01-31T12:00:00Z) or a position of the log`,
      )
}

const isDay = /^\d{4}-\d{2}-\d{2}$/
