import { orThrow } from '../../async/unavailable.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, fileId, fileStream } from '../../domain/indexing/file.ts'
import type { IndexingTask } from '../../domain/indexing/indexing-task.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import type { FileState } from '../../domain/indexing/state.ts'
import { files } from '../../domain/indexing/views.ts'
import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ClaimUpkeep } from '../../domain/kernel/task.ts'
import type { Correlated, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claim, claimed, claimTerms, type Holder, type Offered } from '../runtime/claim.ts'
import { claimQueue } from '../runtime/claim-queue.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { Suspects } from '../runtime/suspects.ts'

interface ClaimDependencies extends Holder {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly order: Order
  readonly policy: Policy
  /** With `states`: has files in hand alone that the next death would park; absent: any may be in hand at once. */
  readonly suspects?: Suspects
  readonly states?: StreamStates
  /** Files that wait for this machine: `<repository>/<name>`. */
  readonly waits?: MachineWaiting
  /** Reports on the topic that a job failed. */
  readonly reportFailure: (task: IndexingTask, reason: string, of: Correlated) => Promise<void>
}

/** The queue of files that are due (W9, W10). A claim is decided on the file's own stream, so that only one wins (W21). */
export const indexingQueue = (deps: ClaimDependencies): TaskQueue<IndexingTask> => {
  const { viewStore, clock, order, waits } = deps
  return claimQueue({
    name: 'files',
    clock,
    waiting: async (limit) => waitingFiles(viewStore, clock.now(), order, limit),
    nextDue: async (since = clock.now()) =>
      rowsIfFolded(viewStore, files, {
        where: [is('queued', 1), { column: 'due', is: '>', value: since }],
        orderBy: [{ column: 'due' }],
        limit: 1,
      })[0]?.due ?? undefined,
    waits,
    workOf: fileId,
    claimer: async () => (file) => claimWithCare(file, deps),
  })
}

/** The stream of a file, for claims. */
export const fileTask = (file: ArchiveFile, policy: Policy) => ({
  decider,
  stream: fileStream(file),
  keep: (command: ClaimUpkeep) => ({ ...command, file, policy }),
})

/** W21: claims the file; alone if processes died of it, and one more death would park it. */
const claimWithCare = async (file: WaitingFile, deps: ClaimDependencies): Promise<Offered<IndexingTask>> => {
  const { suspects, states, policy } = deps
  const claimIt = () => claimFile(file, deps)
  if (!suspects || !states) return claimIt()
  const standing = async () => {
    const { state } = await orThrow(() => states.load(decider, fileStream(file)))
    return { lease: state?.lease, isSuspect: state !== undefined && isSuspect(state, policy) }
  }
  const mayBe = file.failures > 0 && file.failures + 1 >= policy.maxAttempts
  // A file that is claimed is not due with the claim that ran out: its deaths are those of the row.
  return suspects.claim(
    { isSuspect: mayBe && (await standing()).isSuspect, standing, isSuspectNow: () => false },
    claimIt,
  )
}

const isSuspect = ({ silenced, failures }: FileState, { maxAttempts }: Policy): boolean =>
  silenced !== undefined && failures + 1 >= maxAttempts

/** Lost, too, if the file is no longer due. Throws `UnavailableError`. */
const claimFile = async (
  { repository, name }: ArchiveFile,
  deps: ClaimDependencies,
): Promise<Offered<IndexingTask>> => {
  const { policy, reportFailure } = deps
  const file = { repository, name }
  const where = fileTask(file, policy)
  const granted = await claim(deps, where, { type: 'Claim', file, policy, ...claimTerms(deps) })
  if (typeof granted === 'string') return granted
  const { fence, job } = granted.lease
  const confirm = async (): Promise<boolean> => (await held.extend()) !== undefined
  const task = { file, fence, job, confirm }
  const held = claimed(deps, where, granted, { task, reportFailure, deferMillis: policy.retryMillis })
  return held
}

/** Order, by date, of files with equally many failures. */
type Order = 'newest-first' | 'oldest-first'

interface WaitingFile extends ArchiveFile {
  readonly failures: number
}

/** W11: the files to take next, by failures, and then by date. */
const waitingFiles = (
  views: Pick<ViewStore, 'query'>,
  now: string,
  order: Order,
  limit: number,
): readonly WaitingFile[] => {
  const byDate = { column: 'date', descending: order === 'newest-first' } as const
  const waiting = (failures: ConditionOn<typeof files>, left: number): readonly WaitingFile[] =>
    rowsIfFolded(views, files, {
      where: [is('queued', 1), failures, { column: 'due', is: '<=', value: now }],
      orderBy: failures.is === '=' ? [byDate] : [{ column: 'failures' }, byDate],
      limit: left,
    }).map(({ repository, name, failures }) => ({ repository, name, failures }))
  // Files that never failed are many: an index has them in this order. The others are few.
  const first = waiting(is('failures', 0), limit)
  return first.length === limit
    ? first
    : [...first, ...waiting({ column: 'failures', is: '>', value: 0 }, limit - first.length)]
}
