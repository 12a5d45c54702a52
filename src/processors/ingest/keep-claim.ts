import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Lease } from '../../domain/kernel/lease.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ClaimUpkeep } from '../../domain/kernel/task.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { Claimed } from '../../ports/task-queue.ts'
import type { Execute } from '../runtime/execute.ts'

export interface Holder extends MaxDeaths {
  readonly execute: Execute
  readonly clock: Clock
  readonly worker: string
  readonly timeoutMillis: number
  /** Lock of the process that holds the claim; absent if another one holds it, over HTTP. */
  readonly processLock?: Pick<ProcessLock, 'mark'> | undefined
}

/** The stream in which something is claimed, extended and released: its own. */
export interface ClaimIn<S, C extends Command, E extends DomainEvent, R extends Rejection> {
  readonly decider: Decider<S, C | ClaimUpkeep, E, R, Lease>
  readonly stream: string
}

/** Terms of a claim that describe its holder. */
export const claimTerms = ({ clock, worker, timeoutMillis, processLock, maxDeaths }: Holder) => ({
  actor: worker,
  at: clock.now(),
  holder: worker,
  deadline: addMillis(clock.now(), timeoutMillis),
  millis: timeoutMillis,
  lock: processLock?.mark(),
  maxDeaths,
})

/** Throws `UnavailableError`. */
export const runIn = <S, C extends Command, E extends DomainEvent, R extends Rejection>(
  { execute }: Pick<Holder, 'execute'>,
  { decider, stream }: ClaimIn<S, C, E, R>,
  command: C | ClaimUpkeep,
) => orThrow(() => execute(decider, { stream, command, causationId: uuid() }), command.type)

/** A granted claim, as its holder uses it. */
export const claimed = <S, C extends Command, E extends DomainEvent, R extends Rejection, Task>(
  holder: Holder,
  where: ClaimIn<S, C, E, R>,
  { fence, deadline }: Lease,
  { task, correlationId, fail }: Pick<Claimed<Task>, 'task' | 'correlationId' | 'fail'>,
): ClaimedUntil<Task> => {
  const { clock, worker, timeoutMillis } = holder
  const release = async (reason: string, until?: string) => {
    await runIn(holder, where, { type: 'ReleaseClaim', actor: worker, at: clock.now(), fence, reason, until })
  }
  return {
    task,
    correlationId,
    deadline,
    fail,
    extend: async () => {
      const at = clock.now()
      const later = addMillis(at, timeoutMillis)
      const extended = await runIn(holder, where, {
        type: 'ExtendClaim',
        actor: worker,
        at,
        fence,
        deadline: later,
      })
      return extended.kind === 'rejected' ? undefined : later
    },
    release: (reason) => release(reason),
    defer: (reason) => release(reason, addMillis(clock.now(), deferMillis)),
    putOff: release,
  }
}

/** Delay of work that this machine could not do. */
const deferMillis = 5 * MINUTE

/** A claim that may also be put off: released, and not offered again before a time. */
export interface ClaimedUntil<Task> extends Claimed<Task> {
  putOff(reason: string, until: string): Promise<void>
}
