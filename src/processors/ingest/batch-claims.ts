import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { dueMail } from '../../domain/ingest/batch/mail.ts'
import type { DueMail } from '../../domain/ingest/batch/state.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { batchStream } from '../../domain/ingest/ids.ts'
import type { BatchWork } from '../../domain/ingest/tasks.ts'
import { type BatchTask, batches } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { KeepClaim } from '../../domain/kernel/task.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claim, claimed, type Holder, type Offered } from '../runtime/claim.ts'
import { claimQueue } from '../runtime/claim-queue.ts'
import { type ClaimDependencies, deferMillis, isHere, isTriedAgain, stepTerms, underHolds } from './claims.ts'
import { firstWaiting } from './first-waiting.ts'

type BatchClaimDependencies = ClaimDependencies<BatchWork>
type BatchRow = RowOf<typeof batches>

/** Queue of the batches of a task (to be opened, to be reported, with a mail to be sent): the oldest first. */
export const batchQueue = (task: BatchTask, deps: BatchClaimDependencies): TaskQueue<BatchWork> => {
  const { viewStore, clock, states, sites, mayClaim, waits } = deps
  return claimQueue({
    name: task,
    clock,
    waiting: async (limit) => waitingBatches(viewStore, task, await sites?.(), clock.now(), limit),
    nextDue: async () =>
      rowsIfFolded(viewStore, batches, {
        where: [is('task', task), { column: 'available', is: '>', value: clock.now() }],
        orderBy: [{ column: 'available' }],
        limit: 1,
      })[0]?.available ?? undefined,
    nameOf: ({ batch, lastModified, heldUntil }) => `${batch}/${lastModified}/${heldUntil ?? ''}`,
    mayClaim,
    waits,
    workOf: ({ batch }) => `batch/${batch}`,
    claimer: underHolds(states, ({ batch }: BatchRow, holds) => claimBatch(batch, task, holds, deps)),
  })
}

const waitingBatches = (
  viewStore: Pick<ViewStore, 'query'>,
  task: BatchTask,
  here: readonly string[] | undefined,
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
  const { states, reportFailure } = deps
  const where = { decider: batchDecider, stream: batchStream(id), keep: (command: KeepClaim) => command }
  const granted = await claim(
    deps,
    where,
    { type: 'ClaimBatch', task, holds, ...stepTerms(deps) },
    isTriedAgain,
  )
  if (typeof granted === 'string') return granted
  const { state: batch } = await orThrow(() => states.load(batchDecider, where.stream))
  if (!batch) return 'lost'
  const mail = task === 'mail' ? dueMail(batch, deps.clock.now()) : undefined
  const work = { id, fence: granted.lease.fence, task, batch, mail }
  return claimed(deps, where, granted, { task: work, reportFailure, deferMillis })
}

/**
 * Records the start of a mail, before its first byte goes to the mail server. False: the claim is lost, or the mail is
 * not due; do not send it.
 */
export const startMail = async (
  { id, fence }: BatchWork,
  { mail, report }: DueMail,
  { execute, clock, worker }: Pick<Holder, 'execute' | 'clock' | 'worker'>,
): Promise<boolean> => {
  const command = { type: 'StartMail', actor: worker, at: clock.now(), fence, mail, report } as const
  const envelope = { stream: batchStream(id), command, causationId: uuid() }
  const started = await orThrow(() => execute(batchDecider, envelope), command.type)
  return started.kind !== 'rejected'
}
