import type { MaxDeaths } from '../../domain/ingest/claim.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { InConversation, MachineWaiting } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claimTerms, type Holder, type Offered } from '../runtime/claim.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { holdsOn } from './holds.ts'

/* Claims of jobs and batches have these in common. */

export interface StepHolder extends Holder, MaxDeaths {
  /** Lock of the process that holds the claim; absent if another one holds it, over HTTP. */
  readonly processLock?: Pick<ProcessLock, 'mark'> | undefined
}

/** The holder's part of a claim. */
export const stepTerms = (holder: StepHolder) => ({
  ...claimTerms(holder),
  lock: holder.processLock?.mark(),
  maxDeaths: holder.maxDeaths,
})

export interface ClaimDependencies<Task> extends StepHolder {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly states: StreamStates
  /** Sites that this process has: its home, its work folder. None if absent. */
  readonly sites?: () => Promise<readonly string[]>
  /** True if anything may be claimed from here. Always, if absent. */
  readonly mayClaim?: () => Promise<boolean>
  /** `job/<number>` and `batch/<id>` that wait for this machine. */
  readonly waits?: MachineWaiting
  /** Reports on the topic that a step failed. */
  readonly reportFailure: (task: Task, reason: string, of: InConversation) => Promise<void>
}

/** Delay of work that this machine could not do. */
export const deferMillis = 5 * MINUTE

/** True if the reason against the claim is not in the row. */
export const isTriedAgain = ({ code }: IngestRejection): boolean =>
  code === 'paused' || code === 'not-yet' || code === 'jobs-open'

/** Looks up the holds that concern the rows, once for all of them. */
export const underHolds =
  <Row extends { readonly collection: string }, Task>(
    states: StreamStates,
    claim: (row: Row, holds: Holds) => Promise<Offered<Task>>,
  ) =>
  async (rows: readonly Row[]) => {
    const holds = await holdsOn(states, rows)
    return (row: Row) => claim(row, holds.get(row.collection) ?? {})
  }

/** Condition on work that any process, or one with these sites, can do. */
export const isHere = (here: readonly string[] = []) =>
  ({ column: 'site', is: 'in', value: ['', ...here] }) as const
