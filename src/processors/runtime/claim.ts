import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Lease } from '../../domain/kernel/lease.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ClaimUpkeep } from '../../domain/kernel/task.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, Correlated } from '../../ports/task-queue.ts'
import type { Execute } from './execute.ts'

export interface Holder {
  readonly execute: Execute
  readonly clock: Clock
  readonly worker: string
  readonly timeoutMillis: number
}

/** The stream in which a task is claimed, extended, released and expired: its own. */
export interface TaskStream<S, C extends Command, E extends DomainEvent, R extends Rejection, L> {
  readonly decider: Decider<S, C, E, R, L>
  readonly stream: string
  /** Returns the command as the decider takes it. */
  readonly keep: (command: ClaimUpkeep) => NoInfer<C>
}

/** Outcome of a claim. `lost`: another holder was faster, or it is no longer due. `refused`: to be tried again as it is. */
export type Offered<Task> = Claimed<Task> | 'lost' | 'refused'

/** A granted claim, by its lease. */
export interface Granted<L> extends Correlated {
  readonly lease: L
  /** The claim's, in the log. */
  readonly position: bigint
}

/** The holder's part of a claim. */
export const claimTerms = ({ clock, worker, timeoutMillis: millis }: Holder) => {
  const at = clock.now()
  return { actor: worker, at, holder: worker, deadline: addMillis(at, millis), millis }
}

/** Claims a task. Throws `UnavailableError`. */
export const claim = async <
  S,
  C extends Command,
  E extends DomainEvent,
  R extends Rejection,
  L extends Lease,
>(
  holder: Pick<Holder, 'execute'>,
  task: TaskStream<S, C, E, R, L>,
  command: NoInfer<C>,
  isTriedAgain: (rejection: R) => boolean = () => false,
): Promise<Granted<L> | 'lost' | 'refused'> => {
  const outcome = await run(holder, task, command)
  if (outcome.kind === 'rejected' && isTriedAgain(outcome.rejection)) return 'refused'
  if (outcome.kind !== 'done' || !outcome.result) return 'lost'
  const { result: lease, position, correlationId } = outcome
  return { lease, position, correlationId }
}

/** A granted claim, as its worker uses it. */
export const claimed = <S, C extends Command, E extends DomainEvent, R extends Rejection, L, Task>(
  holder: Holder,
  where: TaskStream<S, C, E, R, L>,
  { lease: { fence, deadline }, correlationId }: Omit<Granted<Lease>, 'position'>,
  work: {
    readonly task: Task
    readonly reportFailure: (task: Task, reason: string, of: Correlated) => Promise<void>
    /** Delay of work that this machine could not do; default: none. */
    readonly deferMillis?: number
  },
): Claimed<Task> => {
  const { clock, worker: actor, timeoutMillis } = holder
  const { task, deferMillis } = work
  const keep = (command: ClaimUpkeep) => run(holder, where, where.keep(command))
  const release = async (reason: string, until?: string) => {
    await keep({ type: 'ReleaseClaim', actor, at: clock.now(), fence, reason, until })
  }
  return {
    task,
    correlationId,
    deadline,
    extend: async () => {
      const at = clock.now()
      const later = addMillis(at, timeoutMillis)
      const { kind } = await keep({ type: 'ExtendClaim', actor, at, fence, deadline: later })
      return kind === 'rejected' ? undefined : later
    },
    release,
    defer: (reason) =>
      release(reason, deferMillis === undefined ? undefined : addMillis(clock.now(), deferMillis)),
    fail: (reason) => work.reportFailure(task, reason, { correlationId }),
  }
}

const run = <S, C extends Command, E extends DomainEvent, R extends Rejection, L>(
  { execute }: Pick<Holder, 'execute'>,
  { decider, stream }: TaskStream<S, C, E, R, L>,
  command: NoInfer<C>,
) => orThrow(() => execute(decider, { stream, command, causationId: uuid() }), command.type)
