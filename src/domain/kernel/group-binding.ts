import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decode, Text } from './codecs.ts'
import { parseJson } from './json-text.ts'

/*
 * A consumer group belongs to one log. Each offset that it commits is marked with the log's id, and with an event near
 * the log's end at that time. Another log has another id; a copy that diverged, or was restored, lacks the event.
 */

const WholeNumber = t.refinement(t.string, (s) => /^\d+$/.test(s), 'whole number as decimal text')

const MarkedEvent = t.type({ event: Text, stream: Text, revision: WholeNumber, position: WholeNumber })
/** `at` is absent where the log had no event yet. */
const LogMark = t.intersection([t.type({ log: Text }), t.partial({ at: MarkedEvent })])
const Committed = t.type({ fonds: LogMark })

export type MarkedEvent = t.TypeOf<typeof MarkedEvent>
export type LogMark = t.TypeOf<typeof LogMark>

/** Encodes a mark as text, to be committed beside an offset or sent to other members. */
export const writeMark = (mark: LogMark): string =>
  JSON.stringify({ fonds: mark } satisfies t.TypeOf<typeof Committed>)

/** Returns undefined for anything else: commits of older versions and of other tools have no mark. */
export const readMark = (text: string | null | undefined): LogMark | undefined => {
  const json = parseJson(text ?? null)
  if (E.isLeft(json)) return undefined
  const committed = decode(Committed, json.right)
  return E.isLeft(committed) ? undefined : committed.right.fonds
}

export type Binding =
  /** No offset is marked: the next commit binds the group. */
  | { readonly kind: 'free' }
  /** Some offsets are marked with this log, and the others with none. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'other-log'; readonly log: string; readonly at?: MarkedEvent }
  /** The log's own id, with an event that this log does not hold. */
  | { readonly kind: 'other-copy'; readonly at: MarkedEvent }

/** Returns the log that a group is bound to, from the marks of all its offsets, as this log sees it. */
export const bindingOf = (
  log: string,
  marks: readonly (LogMark | undefined)[],
  isHeld: (at: MarkedEvent) => boolean,
): Binding => {
  const known = marks.filter((mark) => mark !== undefined)
  const other = known.find((mark) => mark.log !== log)
  if (other) return { kind: 'other-log', ...other }
  const lacking = known.find(({ at }) => at !== undefined && !isHeld(at))?.at
  if (lacking) return { kind: 'other-copy', at: lacking }
  return { kind: known.length > 0 ? 'ours' : 'free' }
}
