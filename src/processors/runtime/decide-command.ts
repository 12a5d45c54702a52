import { isLeft } from 'fp-ts/lib/Either.js'
import { type Command, type Decider, decisionOf } from '../../domain/kernel/decider.ts'
import type { DomainEvent, EventMetadata, NewEvent, Origin } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'
import { isPlainJson } from '../../domain/kernel/plain-json.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Writable } from '../../domain/kernel/writable.ts'
import { type Handled, isHandled } from './handled.ts'
import { nameUuids } from './name-uuid.ts'

/** A command for one stream, with its cause. */
export interface CommandEnvelope<C extends Command = Command> {
  readonly stream: string
  readonly command: C
  /** The message, event or request that caused it. The same cause has an effect in a stream once. */
  readonly causationId: string
  /** The same cause as older versions named it: what they did for it is not done again. */
  readonly formerCausationId?: string | undefined
  /** Absent: the correlation of the stream's last event. */
  readonly correlationId?: string
  readonly origin?: Origin
  readonly traceparent?: string
  /** Only for a stream at this revision: `Contended` if another writer has appended since. */
  readonly expected?: bigint
}

/** The outcome of a command in a state, before anything is written. */
export type Decided<S, E extends DomainEvent, R extends Rejection, Result> =
  | { readonly kind: 'repeated' | 'unchanged' }
  | { readonly kind: 'rejected'; readonly rejection: R }
  | {
      readonly kind: 'events'
      readonly events: readonly E[]
      /** The same events as they are written. */
      readonly stored: readonly NewEvent[]
      /** The state after the events. */
      readonly state: S
      /** The decision's result, beside its events. */
      readonly result?: Result
    }

/** `correlationId`: of the events. Throws what the decider throws, and if the decided events cannot be read back. */
export const decideCommand = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result>(
  decider: Decider<S, C, E, R, Result>,
  envelope: CommandEnvelope<C>,
  correlationId: string,
  state: S,
  handled: Handled,
): Decided<S, E, R, Result> => {
  if (isHandled(handled, envelope)) return { kind: 'repeated' }
  const decided = decider.decide(envelope.command, state)
  if (isLeft(decided)) return { kind: 'rejected', rejection: decided.left }
  const { events: drafts, result } = decisionOf<E, Result>(decided.right)
  if (drafts.length === 0) return { kind: 'unchanged' }
  const stored = drafts.map((draft, i) => prepare(decider.events, draft, envelope, correlationId, i))
  const events = stored.map((event) => readBack(decider.events, event, envelope))
  const next = events.reduce(decider.evolve, state)
  return result === undefined
    ? { kind: 'events', events, stored, state: next }
    : { kind: 'events', events, stored, state: next, result }
}

/** Returns the id of an event, from the lines stream, cause, index, type and content. */
const eventIdOf = nameUuids('5d5d1b5e-6d9b-5a0e-9a53-0c7a0a5e6f10')

/**
 * Prepares an event for storage. Its id covers the content: a store takes an append with the same ids for a repeat, and
 * another process may have decided differently for the same cause, at another time.
 */
const prepare = (
  set: EventSet<DomainEvent>,
  { type, data: decided }: DomainEvent,
  envelope: CommandEnvelope,
  correlationId: string,
  index: number,
): NewEvent => {
  const json = JSON.stringify(decided ?? null)
  const data: unknown = isPlainJson(decided) ? decided : JSON.parse(json)
  const id = eventIdOf(envelope.stream, envelope.causationId, `${index}`, type, json)
  return { id, type, data, json, metadata: metadataOf(envelope, correlationId, set.schemaOf(type)) }
}

/**
 * Reads an event as a reader gets it: one that cannot be read back must never be written, and the cached state is
 * folded from what is read.
 */
const readBack = <E extends DomainEvent>(
  set: EventSet<E>,
  stored: NewEvent,
  { command }: CommandEnvelope,
): E => {
  const read = set.read(stored)
  if (isLeft(read))
    throw new TypeError(`${command.type} decided an event that its codec cannot read back: ${read.left}`)
  return read.right
}

const metadataOf = (
  { command: { actor }, causationId, origin, traceparent }: CommandEnvelope,
  correlationId: string,
  schema: number,
): EventMetadata => {
  const metadata: Writable<EventMetadata> = { actor, causationId, correlationId, schema }
  if (origin) metadata.origin = origin
  if (traceparent) metadata.traceparent = traceparent
  return metadata
}
