import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { jobStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { type WorkState, workStates } from '../../domain/ingest/transitions.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { InConversation, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { lastSeen, type StreamStates } from '../runtime/stream-states.ts'
import { firstWaiting } from './first-waiting.ts'
import { holdsOn } from './holds.ts'
import { type ClaimedUntil, claimed, claimTerms, type Holder, runIn } from './keep-claim.ts'
import { type Suspects, suspectsInHand } from './suspects.ts'
import { isTriedAgain, type Offered, takeInOrder } from './take-in-order.ts'

export interface JobClaimDependencies extends Holder {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly states: StreamStates
  /** Sites that this process has: its home, its work folder. None if absent. */
  readonly sites?: () => Promise<readonly string[]>
  /** True if anything may be claimed from here. Always, if absent. */
  readonly mayClaim?: () => Promise<boolean>
  /** `job/<number>` and `batch/<id>` that wait for this machine. */
  readonly waits?: MachineWaiting
  /** Reports on the topic that a step failed. */
  readonly reportFailure: (task: JobTask, reason: string, of: InConversation) => Promise<void>
}

type JobRow = RowOf<typeof jobs>

export interface JobQueue extends TaskQueue<JobTask> {
  take(limit: number): Promise<readonly ClaimedUntil<JobTask>[]>
}

/** A queue for each state in which there is something to do: the lower priority number first, then the older job. */
export const jobQueues = (deps: JobClaimDependencies): Readonly<Record<WorkState, JobQueue>> => {
  const suspects = suspectsInHand(deps)
  return Object.fromEntries(workStates.map((state) => [state, jobQueue(state, deps, suspects)])) as Record<
    WorkState,
    JobQueue
  >
}

const jobQueue = (state: WorkState, deps: JobClaimDependencies, suspects: Suspects): JobQueue => {
  const { viewStore, clock, states } = deps
  let here: readonly string[] = []
  const take = takeInOrder<JobRow, JobTask>({
    clock,
    waiting: (limit) => waitingJobs(viewStore, state, here, clock.now(), limit),
    nameOf: ({ job, fence, lastModified }) => `${job}/${fence ?? 0}/${lastModified}`,
    mayClaim: deps.mayClaim,
    waits: deps.waits,
    workOf: ({ job }) => `job/${job}`,
    holds: (rows) => holdsOn(states, rows),
    claim: (row, holds) =>
      suspects.oneAtATime(row, () => claimJob(row.job, state, holds.get(row.collection) ?? {}, deps)),
  })
  return {
    name: state,
    take: async (limit) => {
      here = (await deps.sites?.()) ?? []
      return take(limit)
    },
    nextDue: async () =>
      rowsIfFolded(viewStore, jobs, {
        where: [is('state', state), { column: 'available', is: '>', value: clock.now() }],
        orderBy: [{ column: 'available' }],
        limit: 1,
      })[0]?.available ?? undefined,
  }
}

/** Condition on work that any process, or one with these sites, can do. */
export const isHere = (here: readonly string[]) =>
  ({ column: 'site', is: 'in', value: ['', ...here] }) as const

/** The first jobs that may be claimed now, in the order of the queue. */
export const waitingJobs = (
  viewStore: Pick<ViewStore, 'query'>,
  state: WorkState,
  here: readonly string[],
  now: string,
  limit: number,
): readonly JobRow[] =>
  firstWaiting<JobRow>(
    (due, most, ordered) =>
      rowsIfFolded(viewStore, jobs, {
        where: [is('state', state), isHere(here), ...due],
        ...(ordered && { orderBy: [{ column: 'available' }, { column: 'order' }] }),
        limit: most,
      }),
    (one, other) => (one.order < other.order ? -1 : 1),
    now,
    limit,
  )

/** `lost`: another one holds the job, or it has moved on, as its row will show. */
export const claimJob = async (
  job: number,
  state: WorkState,
  holds: Holds,
  deps: JobClaimDependencies,
): Promise<Offered<JobTask>> => {
  const where = { decider: jobDecider, stream: jobStream(job) }
  const outcome = await runIn(deps, where, { type: 'ClaimJob', state, holds, ...claimTerms(deps) })
  if (outcome.kind === 'rejected') return isTriedAgain(outcome.rejection) ? 'refused' : 'lost'
  if (outcome.kind !== 'done' || !outcome.result) return 'lost'
  const { result: lease, correlationId } = outcome
  // The claim left it in memory.
  const { state: known } = await lastSeen(deps.states, jobDecider, where.stream)
  if (!known) return 'lost'
  const { facts, found, priority, retries } = known
  const task = { job, fence: lease.fence, state, facts, found, priority, retries }
  const fail = (reason: string) => deps.reportFailure(task, reason, { correlationId })
  return claimed(deps, where, lease, { task, correlationId, fail })
}
