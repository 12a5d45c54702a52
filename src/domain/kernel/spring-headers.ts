import * as E from 'fp-ts/lib/Either.js'
import { isObject } from './envelope.ts'
import { parseJson } from './json-text.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Returns headers as they were before Spring's header mapper wrote them: it writes objects such as a `URI`, and with
 * `encodeStrings` every text, as JSON. It names their Java types in a header of its own, which stands on no other
 * message. As Spring's own reader does, all that is a JSON string is taken for one. A time is a number of seconds.
 */
export const springHeaders = (headers: Headers): Headers => {
  const types = headers.spring_json_header_types
  if (types === undefined) return headers
  const unquoted = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, unquote(text)]))
  const time = unquoted.ce_time === undefined ? undefined : timeOf(unquoted.ce_time, types)
  return time === undefined ? unquoted : { ...unquoted, ce_time: time }
}

const unquote = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'string' ? json : text
  } catch {
    return text
  }
}

const javaTimes: readonly unknown[] = [
  'java.time.Instant',
  'java.time.OffsetDateTime',
  'java.time.ZonedDateTime',
]

/** Returns RFC 3339 for seconds since 1970, with any fraction, if Spring says that they are a time. */
const timeOf = (text: string, types: string): string | undefined => {
  const [, seconds, fraction = ''] = /^(-?\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  const named = parseJson(types)
  if (E.isLeft(named) || !isObject(named.right) || !javaTimes.includes(named.right.ce_time)) return undefined
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const time = new Date(Number(seconds) * 1000 + (seconds.startsWith('-') ? -millis : millis))
  return time.toISOString()
}
