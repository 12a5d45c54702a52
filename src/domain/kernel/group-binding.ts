import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decode, Text } from './codecs.ts'
import { parseJson } from './json-text.ts'

/*
 * A consumer group works for one log. Each place that it commits says for which: by the log's id, and by an event near the
 * log's end at that time. Another log has another id; a copy that went its own way, or was put back, lacks the event.
 */

const WholeNumber = t.refinement(t.string, (s) => /^\d+$/.test(s), 'whole number as decimal text')

const MarkedEvent = t.type({ event: Text, stream: Text, revision: WholeNumber, position: WholeNumber })
/** `at` is absent where the log had no event yet. */
const LogMark = t.intersection([t.type({ log: Text }), t.partial({ at: MarkedEvent })])
const Committed = t.type({ fonds: LogMark })

export type MarkedEvent = t.TypeOf<typeof MarkedEvent>
export type LogMark = t.TypeOf<typeof LogMark>

/** As it is kept beside an offset, or sent to other members. */
export const writeMark = (mark: LogMark): string =>
  JSON.stringify({ fonds: mark } satisfies t.TypeOf<typeof Committed>)

/** Undefined for whatever else stands there: commits of older versions and of other tools say nothing. */
export const readMark = (text: string | null | undefined): LogMark | undefined => {
  const json = parseJson(text ?? null)
  if (isLeft(json)) return undefined
  const committed = decode(Committed, json.right)
  return isLeft(committed) ? undefined : committed.right.fonds
}

export type Binding =
  /** No place says anything: it is bound by the next commit. */
  | { readonly kind: 'free' }
  /** Some places say this log, and the others nothing. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'other-log'; readonly log: string; readonly at?: MarkedEvent }
  /** The log's own id, with an event that this log does not hold. */
  | { readonly kind: 'other-copy'; readonly at: MarkedEvent }

/** To which log a group is bound, as the marks of all its places say and this log sees it. */
export const bindingOf = (
  log: string,
  marks: readonly (LogMark | undefined)[],
  isHeld: (at: MarkedEvent) => boolean,
): Binding => {
  const said = marks.filter((mark) => mark !== undefined)
  const other = said.find((mark) => mark.log !== log)
  if (other) return { kind: 'other-log', ...other }
  const lacking = said.find(({ at }) => at !== undefined && !isHeld(at))?.at
  if (lacking) return { kind: 'other-copy', at: lacking }
  return { kind: said.length > 0 ? 'ours' : 'free' }
}
