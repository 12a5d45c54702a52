import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { AppendFailure, Contended, EventStore, ReadFailure } from '../../ports/event-store.ts'
import type { InConversation } from '../../ports/task-queue.ts'
import { type CommandEnvelope, decideCommand } from './decide-command.ts'
import { isHandled, note } from './handled.ts'
import type { SingleStates, StreamState } from './stream-states.ts'

/** Has a correlation id if the envelope named none. */
export type Executed<E extends DomainEvent, R extends Rejection, Result = unknown> =
  | ({
      readonly kind: 'done'
      readonly events: readonly E[]
      /** The decision's result, beside its events. */
      readonly result?: Result
      readonly revision: bigint
      readonly position: bigint
    } & InConversation)
  /** The command asks for what is already so. */
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

/** Loads the state, decides, and appends at the revision that was read. On a conflict it does so again. */
export const executor =
  (store: EventStore, states: SingleStates, pause: (tries: number) => Promise<unknown> = jitter): Execute =>
  async (decider, envelope) => {
    const { stream } = envelope
    for (let tries = 1; tries <= maxTries; tries++) {
      const presumed = tries === 1 ? states.presumed(decider, stream) : undefined
      const loaded = presumed ? right(presumed) : await states.load(decider, stream)
      if (isLeft(loaded)) return loaded
      const { revision, position, handled } = loaded.right
      const correlationId = envelope.correlationId ?? loaded.right.correlationId ?? envelope.causationId
      const conversation = envelope.correlationId === undefined ? { correlationId } : {}
      if (isElsewhere(envelope, loaded.right)) {
        if (presumed) continue
        return left({ kind: 'Contended', stream, tries })
      }

      const decided = decideCommand(decider, envelope, correlationId, loaded.right)
      if (decided.kind === 'repeated') return right({ kind: 'repeated', position, ...conversation })
      if (decided.kind !== 'events') {
        // Only an append shows that a presumed state is stale: without one the stream is read first.
        if (presumed) continue
        return right(decided.kind === 'rejected' ? decided : { kind: 'unchanged', position, ...conversation })
      }

      const { kind: _, stored, state, ...withEvents } = decided
      const appended = await store.append(stream, revision < 0n ? 'none' : revision, stored)()
      if (appended._tag === 'Right') {
        note(handled, envelope)
        states.keep(stream, { state, ...appended.right, handled, correlationId })
        return right({ kind: 'done', ...withEvents, ...appended.right, ...conversation })
      }
      if (appended.left.kind !== 'Conflict') {
        states.forget(stream)
        return left(appended.left)
      }
      if (tries > 2) await pause(tries)
    }
    return left({ kind: 'Contended', stream, tries: maxTries })
  }

/** True if the stream is at another revision than the command expects, and the command has had no effect there. */
const isElsewhere = (envelope: CommandEnvelope, { revision, handled }: StreamState<unknown>): boolean =>
  envelope.expected !== undefined && revision !== envelope.expected && !isHandled(handled, envelope)

const jitter = (tries: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** tries, 100)))
