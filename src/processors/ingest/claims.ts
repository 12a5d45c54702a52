import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { fewestDeaths, type MaxDeaths, type StepClaims } from '../../domain/ingest/claim.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { batchStream, jobStream, volumeStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import type { IngestRejection } from '../../domain/ingest/rejection.ts'
import { volumeDecider } from '../../domain/ingest/volume/decide.ts'
import type { ClaimUpkeep } from '../../domain/kernel/task.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { Correlated, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claimTerms, type Holder, type Offered } from '../runtime/claim.ts'
import { type ClaimQueueOptions, claimQueue } from '../runtime/claim-queue.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { Suspects } from '../runtime/suspects.ts'
import { firstWaiting, type StepRow, type StepView } from './first-waiting.ts'
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
  /** Has work that the next death would set aside in hand alone; absent: any of it may be in hand at once. */
  readonly suspects?: Suspects | undefined
  /** Sites that this process has: its home, its work folder. None if absent. */
  readonly sites?: () => Promise<readonly string[]>
  /** True if anything may be claimed from here. Always, if absent. */
  readonly mayClaim?: () => Promise<boolean>
  /** `job/<number>` and `batch/<id>` that wait for this machine. */
  readonly waits?: MachineWaiting
  /** Reports on the topic that a step failed. */
  readonly reportFailure: (task: Task, reason: string, of: Correlated) => Promise<void>
}

/** The next death in this step would set the work aside. */
export const isSuspect = ({ deaths = 0 }: Pick<StepClaims, 'deaths'>, { maxDeaths }: MaxDeaths): boolean =>
  maxDeaths !== undefined && deaths + 1 >= fewestDeaths(maxDeaths)

/* The streams of batches, jobs and volumes, for claims. */

export const batchTask = (id: string, { maxDeaths }: MaxDeaths) => ({
  decider: batchDecider,
  stream: batchStream(id),
  keep: (command: ClaimUpkeep) => ({ ...command, maxDeaths }),
})
export const jobTask = (job: number, { maxDeaths }: MaxDeaths) => ({
  decider: jobDecider,
  stream: jobStream(job),
  keep: (command: ClaimUpkeep) => ({ ...command, maxDeaths }),
})
export const volumeTask = (volume: string) => ({
  decider: volumeDecider,
  stream: volumeStream(volume),
  keep: (command: ClaimUpkeep) => command,
})

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

interface StepQueue<Row, Task> extends Pick<ClaimQueueOptions<Row, Task>, 'name' | 'nameOf' | 'workOf'> {
  readonly view: StepView<Row>
  readonly claim: (row: Row, holds: Holds) => Promise<Offered<Task>>
}

/** The queue of what waits in a view. */
export const stepQueue = <Row extends StepRow, Task>(
  { clock, states, sites, mayClaim, waits }: ClaimDependencies<Task>,
  { view, claim, ...names }: StepQueue<Row, Task>,
): TaskQueue<Task> =>
  claimQueue({
    ...names,
    clock,
    waiting: async (limit) => firstWaiting(view, await sites?.(), clock.now(), limit),
    nextDue: async (since = clock.now()) => {
      const [next] = view.read([{ column: 'available', is: '>', value: since }], 1, true)
      return next?.available ?? undefined
    },
    mayClaim,
    waits,
    claimer: underHolds(states, claim),
  })
