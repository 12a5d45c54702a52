import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import { withoutEmptyHeaders } from './dead-letter-upcast.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `deadletter-<id>`, one for each message that could not be used. It is kept whole until a person retries or
 * discards it.
 */

export const category = 'deadletter'
export const deadLetterStream = (id: string): string => streamName(category, id)

const Letter = t.type({
  processor: Text,
  topic: Text,
  partition: t.number,
  offset: Text,
  key: t.union([t.string, t.null]),
  headers: t.record(t.string, t.string),
  value: t.string,
  /** `text`; `base64` if the bytes are not UTF-8 or are smaller so; `none` if the log does not accept them. */
  encoding: t.keyof({ text: null, base64: null, none: null }),
  /** Short code: `not-json`, `unknown-type`, `wrong-shape` … */
  reason: Text,
  /** The invalid field; null if the whole message is invalid. */
  path: t.union([t.string, t.null]),
  message: Text,
  at: Time,
})
/** Key and headers byte for byte, in base64. */
const Raw = t.type({
  key: t.union([t.string, t.null]),
  headers: t.array(t.type({ name: t.string, value: t.string })),
})

const DeadLettered = t.intersection([
  Letter,
  t.partial({
    /** Present if `key` and `headers` hold only the readable part. Absent if they are complete, and in older logs. */
    raw: Raw,
    /** Key, headers, value and `raw` are references of what came. Absent in older logs, which have the value alone so. */
    sealed: t.literal(true),
  }),
])
const DeadLetterRetried = t.intersection([
  t.type({ reason: Text, at: Time }),
  /** The message's value as a person edited it. Absent: it was sent unchanged. */
  t.partial({ edited: t.string }),
])
const DeadLetterDiscarded = t.type({ reason: Text, at: Time })

export const deadLetterEvents = eventSet(
  eventSpec('DeadLettered', 'A message could not be used.', DeadLettered, 2, { 1: withoutEmptyHeaders }),
  eventSpec('DeadLetterRetried', 'It was put on its topic again.', DeadLetterRetried),
  eventSpec('DeadLetterDiscarded', 'A person decided that it is not needed.', DeadLetterDiscarded),
)

export type DeadLetterEvent = EventsOf<typeof deadLetterEvents>
export type DeadLetter = t.TypeOf<typeof DeadLettered>

export type DeadLetterCommand = Command &
  (
    | { readonly type: 'DeadLetter'; readonly letter: Omit<DeadLetter, 'at'> }
    | { readonly type: 'Retry'; readonly reason: string; readonly edited?: string | undefined }
    | { readonly type: 'Discard'; readonly reason: string }
  )

export type DeadLetterState =
  | { readonly status: 'unknown' }
  | { readonly status: 'waiting' | 'retried' | 'discarded'; readonly letter: DeadLetter }

export interface DeadLetterRejection extends Rejection {
  readonly code: 'unknown' | 'settled' | 'not-kept'
}

const reject = (code: DeadLetterRejection['code'], message: string) =>
  E.left<DeadLetterRejection, readonly DeadLetterEvent[]>({ code, message })

export const deadLetters: Decider<DeadLetterState, DeadLetterCommand, DeadLetterEvent, DeadLetterRejection> =
  {
    category,
    events: deadLetterEvents,
    initial: { status: 'unknown' },
    evolve: (state, event) => {
      if (event.type === 'DeadLettered') return { status: 'waiting', letter: event.data }
      if (state.status === 'unknown') return state
      return { status: event.type === 'DeadLetterRetried' ? 'retried' : 'discarded', letter: state.letter }
    },
    decide: (command, state) => {
      const { at } = command
      if (command.type === 'DeadLetter')
        return E.right(
          state.status === 'unknown' ? [{ type: 'DeadLettered', data: { ...command.letter, at } }] : [],
        )
      if (state.status === 'unknown')
        return reject('unknown', 'there is no such dead letter; `fonds dead-letters list` shows them')
      if (state.status !== 'waiting')
        return reject(
          'settled',
          `it was ${state.status} already; a message that fails again gets a new dead letter`,
        )
      const { encoding, topic, partition, offset } = state.letter
      if (command.type === 'Retry' && encoding === 'none')
        return reject(
          'not-kept',
          `it could not be stored; look it up on ${topic} (partition ${partition}, offset ${offset}), send it again (in parts where it is too large), then discard this`,
        )
      const data = { reason: command.reason, at }
      if (command.type === 'Discard') return E.right([{ type: 'DeadLetterDiscarded', data }])
      const { edited } = command
      return E.right([
        { type: 'DeadLetterRetried', data: { ...data, ...(edited !== undefined && { edited }) } },
      ])
    },
  }
