import type { Logger } from 'pino'
import { errorMessage } from '../../async/errors.ts'
import { type MachineFailure, machineFailure } from '../../async/machine-failure.ts'
import { clip } from '../../domain/kernel/clip.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, Correlated } from '../../ports/task-queue.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type HeldClaim, holdClaim } from './hold-claim.ts'
import { retryWhileAway } from './retry-while-away.ts'

export interface ClaimContext extends Correlated {
  readonly signal: AbortSignal
  /** To be called at each progress: a task without any for long counts as hung. */
  readonly progress: () => void
  /** Waits for the work of others: the task takes no concurrency meanwhile. */
  readonly aside: <A>(wait: Promise<A>) => Promise<A>
}

interface RunTaskTools<Task> extends Pick<ClaimContext, 'aside'> {
  /** Name of the worker. */
  readonly name: string
  readonly perform: (task: Task, context: ClaimContext) => Promise<void>
  readonly stallMillis: number
  /** Folders that tasks write to. */
  readonly folders: readonly string[]
  /** Undefined: it ended in any other way. */
  readonly onEnd: (task: Task, failure: MachineFailure | undefined) => Promise<void>
  /** Aborts when the worker stops and its grace period is over. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: Logger
  readonly telemetry: Telemetry
}

/**
 * Performs a claimed task and keeps its claim meanwhile. Never rejects: a failed task is reported with the reason, and
 * one that this machine cannot do is released, which uses up no attempt.
 */
export const runTask = async <Task>(claimed: Claimed<Task>, tools: RunTaskTools<Task>): Promise<void> => {
  const { name, perform, aside, telemetry } = tools
  const started = performance.now()
  const claim = holdClaim(claimed, tools)
  try {
    claim.signal.throwIfAborted()
    await claim.guard(
      perform(claimed.task, {
        signal: claim.signal,
        progress: claim.progress,
        aside,
        correlationId: claimed.correlationId,
      }),
    )
    await tools.onEnd(claimed.task, undefined)
  } catch (error) {
    const failure = machineFailure(error, tools.folders)
    await tools.onEnd(claimed.task, failure)
    await giveBack(claimed, claim, reasonOf(failure ?? error), failure !== undefined, tools)
  } finally {
    claim.end()
    claimed.over?.()
    telemetry.time('task_seconds', { worker: name }, (performance.now() - started) / 1000)
  }
}

const giveBack = async <Task>(
  claimed: Claimed<Task>,
  claim: Pick<HeldClaim, 'lost' | 'ranOut'>,
  reason: string,
  isMachines: boolean,
  tools: RunTaskTools<Task>,
): Promise<void> => {
  const { name, signal, log } = tools
  try {
    if (claim.lost()) log.warn({ worker: name }, `the claim is lost: ${reason}`)
    // Others may have counted its holder as dead: the release takes that back.
    if (claim.ranOut())
      await retryWhileAway(() => claimed.release(reason), { signal, progress: () => {} }, tools)
    else if (claim.lost()) return
    else if (signal.aborted) await claimed.release('the worker was stopped')
    else if (isMachines) await (claimed.defer ?? claimed.release)(reason)
    else await claimed.fail(reason)
  } catch (failure) {
    // The claim runs out at its deadline in any case.
    log.warn({ err: failure, worker: name }, 'cannot report a failed task')
  }
}

const maxReasonLength = 2000

/** Text that a report can hold: it can be stored, and is never empty. */
const reasonOf = (error: unknown): string =>
  clip(errorMessage(error), maxReasonLength) || 'it failed without giving a reason'
