import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import type { IndexingCommand } from '../../domain/indexing/commands.ts'
import { decider } from '../../domain/indexing/decide.ts'
import type { IndexingEvent } from '../../domain/indexing/events.ts'
import { type ArchiveFile, fileStream } from '../../domain/indexing/file.ts'
import type { IndexingTask } from '../../domain/indexing/indexing-task.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import type { Granted, IndexingRejection } from '../../domain/indexing/rejections.ts'
import { files } from '../../domain/indexing/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, InConversation, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute, Executed } from '../runtime/execute.ts'
import { notWaiting } from '../runtime/not-waiting.ts'
import { type Order, waitingFiles } from './waiting-files.ts'

interface ClaimDependencies {
  readonly execute: Execute
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly worker: string
  readonly timeoutMillis: number
  readonly order: Order
  readonly policy: Policy
  /** Files that wait for this machine: `<repository>/<name>`. */
  readonly waits?: MachineWaiting
  /** Reports on the topic that a job failed. */
  readonly reportFailure: (task: IndexingTask, reason: string, of: InConversation) => Promise<void>
}

type ExecutedOnFile = Executed<IndexingEvent, IndexingRejection, Granted>

/** The queue of files that are due (W9, W10). A claim is decided on the file's own stream, so that only one wins (W21). */
export const indexingQueue = (deps: ClaimDependencies): TaskQueue<IndexingTask> => {
  const { viewStore, clock, order, waits } = deps
  return {
    name: 'files',
    take: async (limit) => {
      const files = waitingFiles(viewStore, clock.now(), order, limit + (waits?.count() ?? 0))
      const due = await notWaiting(files, limit, waits, ({ repository, name }) => `${repository}/${name}`)
      const tried = await Promise.allSettled(due.map((file) => claimFile(file, deps)))
      const claims = tried.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
      // Granted claims must be worked on, whatever became of the others: dropped ones count as failures.
      const failure = tried.find((one) => one.status === 'rejected')
      if (claims.length === 0 && failure) throw failure.reason
      return claims
    },
    nextDue: async () =>
      rowsIfFolded(viewStore, files, {
        where: [is('queued', 1), { column: 'due', is: '>', value: clock.now() }],
        orderBy: [{ column: 'due' }],
        limit: 1,
      })[0]?.due ?? undefined,
  }
}

/** Undefined if another worker was faster, or the file is no longer due. Throws `UnavailableError`. */
const claimFile = (
  file: ArchiveFile,
  deps: ClaimDependencies,
): Promise<Claimed<IndexingTask> | undefined> => {
  const { execute, clock, worker, timeoutMillis, policy } = deps
  const by = () => ({ file, actor: worker, at: clock.now() })
  const later = () => addMillis(clock.now(), timeoutMillis)

  const run = <A>(command: IndexingCommand, answer: (executed: ExecutedOnFile) => A): Promise<A> =>
    pipe(
      () => execute(decider, { stream: fileStream(file), command, causationId: uuid() }),
      TE.map(answer),
      (task) => orThrow(task, command.type),
    )

  const held = ({ lease, job }: Granted, of: InConversation): Claimed<IndexingTask> => {
    const { fence, deadline } = lease
    const extend = () => {
      const deadline = later()
      const command = { type: 'ExtendClaim', ...by(), fence, deadline } as const
      return run(command, ({ kind }) => (kind === 'rejected' ? undefined : deadline))
    }
    const confirm = async () => (await extend()) !== undefined
    const task = { file, fence, job, confirm }
    return {
      task,
      ...of,
      deadline,
      extend,
      release: (reason) => run({ type: 'ReleaseClaim', ...by(), fence, reason }, () => undefined),
      defer: (reason) => {
        const until = addMillis(clock.now(), policy.retryMillis)
        return run({ type: 'ReleaseClaim', ...by(), fence, reason, until }, () => undefined)
      },
      fail: (reason) => deps.reportFailure(task, reason, of),
    }
  }

  const wanted = { holder: worker, deadline: later(), millis: timeoutMillis, policy }
  return run({ type: 'Claim', ...by(), ...wanted }, (claimed) => {
    if (claimed.kind !== 'done' || !claimed.result) return undefined
    const { result, correlationId } = claimed
    return held(result, { correlationId })
  })
}
