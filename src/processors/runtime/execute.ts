import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { v5 as uuidv5 } from 'uuid'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent, EventMetadata, NewEvent, Origin } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { AppendFailure, EventStore, ReadFailure } from '../../ports/event-store.ts'
import { advance, isHandled, type StreamStates } from './stream-states.ts'

/** A command on its way to one stream, with where it comes from. */
export interface CommandEnvelope<C extends Command = Command> {
  readonly stream: string
  readonly command: C
  /** The message, event or request that led to it. The same cause has an effect in a stream once. */
  readonly causationId: string
  readonly correlationId: string
  readonly origin?: Origin
  readonly traceparent?: string
}

export type Executed<E extends DomainEvent, R extends Rejection> =
  | {
      readonly kind: 'done'
      readonly events: readonly E[]
      readonly revision: bigint
      readonly position: bigint
    }
  /** The command asked for what is true already. */
  | { readonly kind: 'unchanged'; readonly position: bigint }
  /** The same cause had its effect before. */
  | { readonly kind: 'repeated'; readonly position: bigint }
  | { readonly kind: 'rejected'; readonly rejection: R }

export type ExecuteFailure =
  | Exclude<AppendFailure, { kind: 'Conflict' }>
  | ReadFailure
  /** Other writers were faster every time. */
  | { readonly kind: 'Contended'; readonly stream: string; readonly tries: number }

export type Execute = <S, C extends Command, E extends DomainEvent, R extends Rejection>(
  decider: Decider<S, C, E, R>,
  envelope: CommandEnvelope<C>,
) => Promise<Either<ExecuteFailure, Executed<E, R>>>

const mostTries = 20
/** Namespace of event ids: UUIDv5 of stream, cause and index. */
const eventNamespace = '5d5d1b5e-6d9b-5a0e-9a53-0c7a0a5e6f10'

/** Load, decide, append at the revision that was read; when somebody else wrote meanwhile, the same again. */
export const executor =
  (store: EventStore, states: StreamStates): Execute =>
  async (decider, envelope) => {
    const { stream, command, causationId, origin } = envelope
    for (let tries = 1; tries <= mostTries; tries++) {
      const loaded = await states.load(decider, stream)
      if (isLeft(loaded)) return loaded
      const before = loaded.right
      if (isHandled(before, causationId, origin))
        return right({ kind: 'repeated', position: before.position })

      const decided = decider.decide(command, before.state)
      if (isLeft(decided)) return right({ kind: 'rejected', rejection: decided.left })
      const events = decided.right
      if (events.length === 0) return right({ kind: 'unchanged', position: before.position })

      const metadata = (type: string) => metadataOf(envelope, decider.events.schemaOf(type))
      const appended = await store.append(
        stream,
        before.revision < 0n ? 'none' : before.revision,
        events.map(
          (event, i): NewEvent => ({
            id: uuidv5(`${stream}\n${causationId}\n${i}`, eventNamespace),
            type: event.type,
            data: event.data,
            metadata: metadata(event.type),
          }),
        ),
      )()
      if (appended._tag === 'Right') {
        states.keep(stream, advance(decider, before, events, metadata(''), appended.right))
        return right({ kind: 'done', events, ...appended.right })
      }
      states.forget(stream)
      if (appended.left.kind !== 'Conflict') return left(appended.left)
      if (tries > 2) await jitter(tries)
    }
    return left({ kind: 'Contended', stream, tries: mostTries })
  }

const metadataOf = (envelope: CommandEnvelope, schema: number): EventMetadata => ({
  actor: envelope.command.actor,
  causationId: envelope.causationId,
  correlationId: envelope.correlationId,
  schema,
  ...(envelope.origin && { origin: envelope.origin }),
  ...(envelope.traceparent && { traceparent: envelope.traceparent }),
})

const jitter = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** tries, 100)))
