import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { dueMail } from '../../domain/ingest/batch/mail.ts'
import type { DueMail } from '../../domain/ingest/batch/state.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { batchStream } from '../../domain/ingest/ids.ts'
import type { BatchWork } from '../../domain/ingest/tasks.ts'
import { type BatchTask, batches } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { InConversation, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import { firstWaiting } from './first-waiting.ts'
import { holdsOn } from './holds.ts'
import { isHere } from './job-claims.ts'
import { claimed, claimTerms, type Holder, runIn } from './keep-claim.ts'
import { isTriedAgain, type Offered, takeInOrder } from './take-in-order.ts'

export interface BatchClaimDependencies extends Holder {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly states: StreamStates
  /** Sites that this process has: its home, its work folder. None if absent. */
  readonly sites?: () => Promise<readonly string[]>
  /** True if anything may be claimed from here. Always, if absent. */
  readonly mayClaim?: () => Promise<boolean>
  /** `job/<number>` and `batch/<id>` that wait for this machine. */
  readonly waits?: MachineWaiting
  /** Reports work that failed. */
  readonly reportFailure: (work: BatchWork, reason: string, of: InConversation) => Promise<void>
}

type BatchRow = RowOf<typeof batches>

/** Queue of the batches of a task (to be opened, to be reported, with a mail to be sent): the oldest first. */
export const batchQueue = (task: BatchTask, deps: BatchClaimDependencies): TaskQueue<BatchWork> => {
  const { viewStore, clock, states } = deps
  let here: readonly string[] = []
  const take = takeInOrder<BatchRow, BatchWork>({
    clock,
    waiting: (limit) => waitingBatches(viewStore, task, here, clock.now(), limit),
    nameOf: ({ batch, lastModified, heldUntil }) => `${batch}/${lastModified}/${heldUntil ?? ''}`,
    mayClaim: deps.mayClaim,
    waits: deps.waits,
    workOf: ({ batch }) => `batch/${batch}`,
    holds: (rows) => holdsOn(states, rows),
    claim: (row, holds) => claimBatch(row.batch, task, holds.get(row.collection) ?? {}, deps),
  })
  return {
    name: task,
    take: async (limit) => {
      here = (await deps.sites?.()) ?? []
      return take(limit)
    },
    nextDue: async () =>
      rowsIfFolded(viewStore, batches, {
        where: [is('task', task), { column: 'available', is: '>', value: clock.now() }],
        orderBy: [{ column: 'available' }],
        limit: 1,
      })[0]?.available ?? undefined,
  }
}

const waitingBatches = (
  viewStore: Pick<ViewStore, 'query'>,
  task: BatchTask,
  here: readonly string[],
  now: string,
  limit: number,
): readonly BatchRow[] =>
  firstWaiting<BatchRow>(
    (due, most, ordered) =>
      rowsIfFolded(viewStore, batches, {
        // Reports and mails are made anywhere.
        where: [is('task', task), ...(task === 'open' ? [isHere(here)] : []), ...due],
        ...(ordered && { orderBy: [{ column: 'available' }, { column: 'number' }] }),
        limit: most,
      }),
    (one, other) => (one.number ?? 0) - (other.number ?? 0),
    now,
    limit,
  )

const claimBatch = async (
  id: string,
  task: BatchTask,
  holds: Holds,
  deps: BatchClaimDependencies,
): Promise<Offered<BatchWork>> => {
  const where = { decider: batchDecider, stream: batchStream(id) }
  const outcome = await runIn(deps, where, { type: 'ClaimBatch', task, holds, ...claimTerms(deps) })
  if (outcome.kind === 'rejected') return isTriedAgain(outcome.rejection) ? 'refused' : 'lost'
  if (outcome.kind !== 'done' || !outcome.result) return 'lost'
  const { result: lease, correlationId } = outcome
  const { state: batch } = await orThrow(() => deps.states.load(batchDecider, where.stream))
  if (!batch) return 'lost'
  const mail = task === 'mail' ? dueMail(batch, deps.clock.now()) : undefined
  const work = { id, fence: lease.fence, task, batch, mail }
  const fail = (reason: string) => deps.reportFailure(work, reason, { correlationId })
  return claimed(deps, where, lease, { task: work, correlationId, fail })
}

/**
 * Records the start of a mail, before its first byte goes to the mail server. False: the claim is lost, or the mail is
 * not due; do not send it.
 */
export const startMail = async (
  { id, fence }: BatchWork,
  { mail, report }: DueMail,
  deps: Pick<Holder, 'execute' | 'clock' | 'worker'>,
): Promise<boolean> => {
  const { clock, worker } = deps
  const command = { type: 'StartMail', actor: worker, at: clock.now(), fence, mail, report } as const
  const started = await runIn(deps, { decider: batchDecider, stream: batchStream(id) }, command)
  return started.kind !== 'rejected'
}
