import { rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, SECOND } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { logEnds, logTimes } from '../../../domain/kernel/views.ts'

/** `2026-01-31T12:00:00`, UTC: the second that a time lies in. */
const secondOf = (time: string): string => time.slice(0, 19)

/**
 * The position after which to search for events up to a time: at most those of one second are up to it. -1n: there are
 * none.
 */
export const behindWhich = (views: Views, time: string): bigint => {
  const [begun] = rows(views, logTimes, {
    where: [{ column: 'second', is: '<=', value: secondOf(time) }],
    orderBy: [{ column: 'second', descending: true }],
    limit: 1,
  })
  return begun ? BigInt(begun.position) - 1n : -1n
}

export interface Span {
  /** Whole seconds, UTC: `2026-01-31T12:00:00.000Z`. */
  readonly since: string
  /** The first second after it. */
  readonly until: string
}

/** Span from the first to the last event; undefined: there are none. */
export const spanOfLog = (views: Views): Span | undefined => {
  const [first] = rows(views, logTimes, { orderBy: [{ column: 'second' }], limit: 1 })
  const [end] = rows(views, logEnds)
  return first && end && { since: whole(first.second), until: addMillis(whole(end.second), SECOND) }
}

const whole = (second: string): string => `${second}.000Z`

/**
 * Number of events recorded in each stretch of `seconds`; it takes at most two queries a stretch, however many events
 * there are.
 */
export const eventsOfStretches = (
  views: Views,
  { since, until }: Span,
  seconds: number,
): readonly { readonly from: string; readonly events: number }[] => {
  const before = (time: string): number => {
    const [next] = rows(views, logTimes, {
      where: [{ column: 'second', is: '>=', value: secondOf(time) }],
      orderBy: [{ column: 'second' }],
      limit: 1,
    })
    return next?.before ?? rows(views, logEnds)[0]?.total ?? 0
  }
  const stretches: { from: string; events: number }[] = []
  let known = before(since)
  for (let from = since; from < until; from = addMillis(from, seconds * SECOND)) {
    const end = addMillis(from, seconds * SECOND)
    const next = before(end < until ? end : until)
    stretches.push({ from, events: next - known })
    known = next
  }
  return stretches
}
