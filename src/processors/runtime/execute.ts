import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Command, type Decider, type Decision, decisionOf } from '../../domain/kernel/decider.ts'
import type { DomainEvent, EventMetadata, NewEvent, Origin } from '../../domain/kernel/event.ts'
import type { EventSet } from '../../domain/kernel/event-set.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { AppendFailure, Contended, EventStore, ReadFailure } from '../../ports/event-store.ts'
import type { InConversation } from '../../ports/task-queue.ts'
import { isHandled, note } from './handled.ts'
import { nameUuids } from './name-uuid.ts'
import type { StreamStates } from './stream-states.ts'

/** A command on its way to one stream, with where it comes from. */
export interface CommandEnvelope<C extends Command = Command> {
  readonly stream: string
  readonly command: C
  /** The message, event or request that led to it. The same cause has an effect in a stream once. */
  readonly causationId: string
  /** Absent: that of the stream's last event. */
  readonly correlationId?: string
  readonly origin?: Origin
  readonly traceparent?: string
  /** Only while the stream stands at this revision: `Contended` where somebody has written since. */
  readonly expected?: bigint
}

/** With a correlation id where the envelope named none. */
export type Executed<E extends DomainEvent, R extends Rejection, Result = unknown> =
  | ({
      readonly kind: 'done'
      readonly events: readonly E[]
      /** The decision's, beside its events. */
      readonly result?: Result
      readonly revision: bigint
      readonly position: bigint
    } & InConversation)
  /** The command asked for what is true already. */
  | ({ readonly kind: 'unchanged'; readonly position: bigint } & InConversation)
  /** The same cause had its effect before. */
  | ({ readonly kind: 'repeated'; readonly position: bigint } & InConversation)
  | { readonly kind: 'rejected'; readonly rejection: R }

export type ExecuteFailure = Exclude<AppendFailure, { kind: 'Conflict' }> | ReadFailure | Contended

/** Throws `UnreadableStream`, and what the decider throws. */
export type Execute = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result = never>(
  decider: Decider<S, C, E, R, Result>,
  envelope: CommandEnvelope<C>,
) => Promise<Either<ExecuteFailure, Executed<E, R, Result>>>

const maxTries = 20

/** Loads, decides, appends at the revision that was read. On a conflict, the same again. */
export const executor =
  (store: EventStore, states: StreamStates, pause: (tries: number) => Promise<unknown> = jitter): Execute =>
  async (decider, envelope) => {
    const { stream, command } = envelope
    for (let tries = 1; tries <= maxTries; tries++) {
      const presumed = tries === 1 ? states.presumed(decider, stream) : undefined
      const loaded = presumed ? right(presumed) : await states.load(decider, stream)
      if (isLeft(loaded)) return loaded
      const { state, revision, position, handled } = loaded.right
      const correlationId = envelope.correlationId ?? loaded.right.correlationId ?? envelope.causationId
      const conversation = envelope.correlationId === undefined ? { correlationId } : {}
      if (isHandled(handled, envelope)) return right({ kind: 'repeated', position, ...conversation })
      if (envelope.expected !== undefined && revision !== envelope.expected) {
        if (presumed) continue
        return left({ kind: 'Contended', stream, tries })
      }

      const decided = decide(decider, command, state)
      if (isLeft(decided) || decided.right.events.length === 0) {
        // Only an append finds out that a presumed state is stale: without one the stream is read first.
        if (presumed) continue
        return right(
          isLeft(decided)
            ? { kind: 'rejected', rejection: decided.left }
            : { kind: 'unchanged', position, ...conversation },
        )
      }

      const { events: decidedEvents, ...withResult } = decided.right
      const written = decidedEvents.map((event, i) =>
        prepare(decider.events, event, { ...envelope, correlationId }, i),
      )
      const events = written.map(({ event }) => event)
      const next = events.reduce(decider.evolve, state)
      const expected = revision < 0n ? 'none' : revision
      const appended = await store.append(
        stream,
        expected,
        written.map(({ stored }) => stored),
      )()
      if (appended._tag === 'Right') {
        note(handled, envelope)
        states.keep(stream, { state: next, ...appended.right, handled, correlationId })
        return right({ kind: 'done', events, ...withResult, ...appended.right, ...conversation })
      }
      if (appended.left.kind !== 'Conflict') {
        states.forget(stream)
        return left(appended.left)
      }
      if (tries > 2) await pause(tries)
    }
    return left({ kind: 'Contended', stream, tries: maxTries })
  }

const decide = <S, C extends Command, E extends DomainEvent, R extends Rejection, Result>(
  decider: Decider<S, C, E, R, Result>,
  command: C,
  state: S,
): Either<R, Decision<E, Result>> => {
  const decided = decider.decide(command, state)
  return isLeft(decided) ? decided : right(decisionOf<E, Result>(decided.right))
}

/** The id of an event, by stream, cause, index, type and content, a line each. */
const eventIdOf = nameUuids('5d5d1b5e-6d9b-5a0e-9a53-0c7a0a5e6f10')

/**
 * An event as it is stored, and as it will be read: what cannot be read back must never be written, and the cached state is
 * folded from what a reader gets. Its id covers the content: a store takes an append with the same ids for a repeat, and
 * another process may have decided otherwise for the same cause, at another time.
 */
const prepare = <E extends DomainEvent>(
  set: EventSet<E>,
  decided: E,
  envelope: Required<Pick<CommandEnvelope, 'correlationId'>> & CommandEnvelope,
  index: number,
): { readonly event: E; readonly stored: NewEvent } => {
  const { type } = decided
  const json = JSON.stringify(decided.data ?? null)
  const data: unknown = JSON.parse(json)
  const metadata = metadataOf(envelope, set.schemaOf(type))
  const read = set.read({ type, data, metadata })
  if (isLeft(read))
    throw new TypeError(`${envelope.command.type} decided what could not be read back: ${read.left}`)
  const id = eventIdOf(`${envelope.stream}\n${envelope.causationId}\n${index}\n${type}\n${json}`)
  return { event: read.right, stored: { id, type, data, json, metadata } }
}

const metadataOf = (
  envelope: Required<Pick<CommandEnvelope, 'correlationId'>> & CommandEnvelope,
  schema: number,
): EventMetadata => ({
  actor: envelope.command.actor,
  causationId: envelope.causationId,
  correlationId: envelope.correlationId,
  schema,
  ...(envelope.origin && { origin: envelope.origin }),
  ...(envelope.traceparent && { traceparent: envelope.traceparent }),
})

const jitter = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** tries, 100)))
