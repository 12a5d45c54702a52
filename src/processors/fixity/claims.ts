import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import type { CheckTask, FixityTask } from '../../domain/fixity/check-task.ts'
import type { FixityCommand } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { FixityEvent } from '../../domain/fixity/events.ts'
import type { RecordedRow } from '../../domain/fixity/intact.ts'
import { itemStream } from '../../domain/fixity/item.ts'
import type { FixityRejection } from '../../domain/fixity/rejections.ts'
import type { Lease } from '../../domain/kernel/lease.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, InConversation } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute, Executed } from '../runtime/execute.ts'
import type { ViewsReach } from '../runtime/views-reach.ts'

export interface ClaimDependencies {
  readonly execute: Execute
  readonly viewStore: ViewStore
  readonly viewsReach: ViewsReach
  readonly clock: Clock
  readonly worker: string
  /** True if a failure of an item of the store is to be reported: not while the store itself is unavailable. */
  readonly isToBeTold: (store: string) => Promise<boolean>
  readonly timeoutMillis: number
  /** Reports on the topic that an attempt failed. */
  readonly reportFailure: (task: FixityTask, reason: string, of: InConversation) => Promise<void>
}

type ExecutedOnItem = Executed<FixityEvent, FixityRejection, Lease>

/**
 * Claims one item, as its own stream decides. Undefined if another worker was faster, or the claim parked the item.
 * Throws `UnavailableError`.
 */
export const claimCheck = (
  row: RecordedRow,
  deps: ClaimDependencies,
): Promise<Claimed<CheckTask> | undefined> => {
  const { execute, clock, worker, timeoutMillis } = deps
  const item = { store: row.store, path: row.path }
  const by = () => ({ item, actor: worker, at: clock.now() })
  const later = () => addMillis(clock.now(), timeoutMillis)

  const run = <A>(command: FixityCommand, answer: (executed: ExecutedOnItem) => A): Promise<A> =>
    pipe(
      () => execute(decider, { stream: itemStream(item), command, causationId: uuid() }),
      TE.map(answer),
      (task) => orThrow(task, command.type),
    )

  const held = ({ fence, deadline }: Lease, of: InConversation): Claimed<CheckTask> => {
    const release = (reason: string) => run({ type: 'ReleaseClaim', ...by(), fence, reason }, () => undefined)
    const task = { item, fence, checksums: [...row.checksums, ...(row.indexed?.checksums ?? [])] }
    return {
      task,
      ...of,
      deadline,
      extend: () => {
        const deadline = later()
        const command = { type: 'ExtendClaim', ...by(), fence, deadline } as const
        return run(command, ({ kind }) => (kind === 'rejected' ? undefined : deadline))
      },
      release,
      // While the store is unavailable, no failure of an item is reported, and no attempt is used up.
      fail: async (reason) =>
        (await deps.isToBeTold(item.store)) ? deps.reportFailure(task, reason, of) : release(reason),
    }
  }

  const wanted = { holder: worker, deadline: later(), millis: timeoutMillis }
  return run({ type: 'Claim', ...by(), ...wanted }, (claimed) => {
    if (claimed.kind !== 'done' || !claimed.result) return undefined
    const { result, correlationId } = claimed
    return held(result, { correlationId })
  })
}
