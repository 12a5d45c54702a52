import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { dueMail } from '../../domain/ingest/batch/mail.ts'
import type { DueMail } from '../../domain/ingest/batch/state.ts'
import { type StepClaims, unclaimed } from '../../domain/ingest/claim.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { batchStream } from '../../domain/ingest/ids.ts'
import type { BatchWork } from '../../domain/ingest/tasks.ts'
import { type BatchTask, batches } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claim, claimed, type Holder, type Offered } from '../runtime/claim.ts'
import {
  batchTask,
  type ClaimDependencies,
  deferMillis,
  isSuspect,
  isTriedAgain,
  stepQueue,
  stepTerms,
} from './claims.ts'
import type { StepView } from './first-waiting.ts'

type BatchClaimDependencies = ClaimDependencies<BatchWork>
type BatchRow = RowOf<typeof batches>

/** Queue of the batches of a task (to be opened, to be reported, with a mail to be sent): the oldest first. */
export const batchQueue = (task: BatchTask, deps: BatchClaimDependencies): TaskQueue<BatchWork> =>
  stepQueue(deps, {
    name: task,
    view: batchesFor(deps.viewStore, task),
    nameOf: ({ batch, lastModified, heldUntil }) => `${batch}/${lastModified}/${heldUntil ?? ''}`,
    workOf: ({ batch }) => `batch/${batch}`,
    claim: async ({ batch }, holds) => {
      const claimIt = () => claimBatch(batch, task, holds, deps)
      if (!deps.suspects) return claimIt()
      const standing = async () => {
        const claims = await claimsOf(batch, deps)
        return { lease: claims.lease, isSuspect: isSuspect(claims, deps) }
      }
      const isSuspectNow = (work: BatchWork) => isSuspect(work.batch.claims, deps)
      return deps.suspects.claim({ isSuspect: (await standing()).isSuspect, standing, isSuspectNow }, claimIt)
    },
  })

/** Batches with a due task. Reports and mails are made anywhere. */
const batchesFor = (viewStore: Pick<ViewStore, 'query'>, task: BatchTask): StepView<BatchRow> => ({
  read: (due, limit, ordered) =>
    rowsIfFolded(viewStore, batches, {
      where: [is('task', task), ...due],
      ...(ordered && { orderBy: [{ column: 'available' }, { column: 'number' }] }),
      limit,
    }),
  compare: (one, other) => (one.number ?? 0) - (other.number ?? 0),
  isAnywhere: task !== 'open',
})

/** The claim reads the same, and finds it in memory. */
const claimsOf = async (
  id: string,
  { states }: Pick<BatchClaimDependencies, 'states'>,
): Promise<StepClaims> =>
  (await orThrow(() => states.load(batchDecider, batchStream(id)))).state?.claims ?? unclaimed

const claimBatch = async (
  id: string,
  task: BatchTask,
  holds: Holds,
  deps: BatchClaimDependencies,
): Promise<Offered<BatchWork>> => {
  const { states, reportFailure } = deps
  const where = batchTask(id, deps)
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
