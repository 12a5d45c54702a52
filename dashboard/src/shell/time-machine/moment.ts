/* A moment as it stands in the address: `at`, a position of the log or a time with a zone. */

export type Wanted =
  | { readonly kind: 'now' }
  | { readonly kind: 'past'; readonly at: string }
  /** No moment at all: why, in a sentence. */
  | { readonly kind: 'unfit'; readonly at: string; readonly why: string }

const position = /^\d{1,18}$/
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

export const isPosition = (at: string): boolean => position.test(at)

export const wantedIn = (query: URLSearchParams): Wanted => {
  const at = query.get('at')
  if (at === null || at === '') return { kind: 'now' }
  if (query.getAll('at').length > 1) return { kind: 'unfit', at, why: 'at stands in the address twice' }
  return isMoment(at) ? { kind: 'past', at } : { kind: 'unfit', at, why: 'that is no moment' }
}

export const isMoment = (at: string): boolean => isPosition(at) || (time.test(at) && isDay(at))

/** February has no 31st, whatever `Date` makes of it. */
const isDay = (at: string): boolean => {
  const [year, month, day] = at.slice(0, 10).split('-').map(Number) as [number, number, number]
  const read = new Date(Date.UTC(year, month - 1, day))
  return read.getUTCMonth() === month - 1 && !Number.isNaN(Date.parse(at))
}

/** What is asked and what the server says of it, as far as a moment needs it. */
export interface Told {
  /** When the server said so. */
  readonly now: Date
  readonly last: { readonly position: string } | null
}

/** Why the log cannot be shown as of a moment: it has not come so far. */
export const whyNotYet = (at: string, { now, last }: Told): string | undefined => {
  if (!isPosition(at)) return Date.parse(at) > now.getTime() ? 'that moment has not come yet' : undefined
  if (last === null) return 'the log has no events yet'
  return BigInt(at) > BigInt(last.position)
    ? `the log has no event ${at} yet: it ends with ${last.position}`
    : undefined
}

/** The end of a second that a person chose, as in `2026-01-31T12:00:05`: what is shown as of that second is in. */
export const endOfSecond = (local: string): string | undefined => {
  const read = new Date(local)
  return Number.isNaN(read.getTime())
    ? undefined
    : new Date(Math.floor(read.getTime() / 1000) * 1000 + 999).toISOString()
}

/** A moment as a person types it: the number of an event, a time with its zone, or one of the reader's own zone. */
export const typedMoment = (typed: string): string | undefined => {
  const text = typed.trim()
  if (isMoment(text)) return text
  const local = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d{1,2}:\d\d(?::\d\d)?))?$/.exec(text)
  if (!local) return undefined
  const [, day = '', hour = '23:59:59'] = local
  const time = hour.padStart(hour.length + (hour.indexOf(':') === 1 ? 1 : 0), '0')
  return isDay(`${day}T00:00:00Z`) ? endOfSecond(`${day}T${time}`) : undefined
}
