import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import type { FixityCommand } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { Queue } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'
import type { Condition, Row, ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'

/** One check to do. */
export interface CheckTask {
  readonly item: Item
  readonly fence: number
  /** What is recorded and indexed of it: which digests are wanted. */
  readonly checksums: readonly Checksum[]
}

export interface ClaimDependencies {
  readonly execute: Execute
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly worker: string
  /** The stores whose bytes this worker can read; asked anew at each claim. */
  readonly stores: () => readonly string[]
  readonly timeoutMillis: number
  /** Tells the topic that an attempt failed. */
  readonly reportFailure: (task: CheckTask, reason: string) => Promise<void>
}

/** The checks that are due, oldest first, `high` before `low`. Who may have one is decided on the item's own stream. */
export const checkQueues = (deps: ClaimDependencies): readonly TaskQueue<CheckTask>[] =>
  (['high', 'low'] as const).map((queue) => checkQueue(queue, deps))

const checkQueue = (queue: Queue, deps: ClaimDependencies): TaskQueue<CheckTask> => {
  const { execute, viewStore, clock, worker, timeoutMillis } = deps

  const waiting = (limit: number, available: Condition): readonly Row[] =>
    deps
      .stores()
      .flatMap((store) =>
        viewStore.query('fixity-items', {
          where: [
            { column: 'store', is: '=', value: store },
            { column: 'queue', is: '=', value: queue },
            available,
          ],
          orderBy: [{ column: 'available' }],
          limit,
        }),
      )
      .sort((a, b) => Date.parse(a.available as string) - Date.parse(b.available as string))
      .slice(0, limit)

  const run = async (item: Item, command: FixityCommand) => {
    const outcome = await execute(decider, {
      stream: itemStream(item),
      command,
      causationId: uuid(),
      correlationId: uuid(),
    })
    if (isLeft(outcome)) throw new Away(`${command.type}: ${JSON.stringify(outcome.left)}`)
    return outcome.right
  }

  const claim = async (row: Row): Promise<Claimed<CheckTask> | undefined> => {
    const item = { store: row.store as string, path: row.path as string }
    const by = () => ({ item, actor: worker, at: clock.now() })
    const deadline = addMillis(clock.now(), timeoutMillis)
    const wanted = { holder: worker, deadline, millis: timeoutMillis }
    const outcome = await run(item, { type: 'Claim', ...by(), ...wanted })
    const granted = outcome.kind === 'done' && outcome.events.find((event) => event.type === 'CheckClaimed')
    if (!granted) return undefined
    const { fence } = granted.data
    const indexed = row.indexed as { readonly checksums: readonly Checksum[] } | null
    const checksums = [...(row.checksums as readonly Checksum[]), ...(indexed?.checksums ?? [])]
    const task = { item, fence, checksums }
    return {
      task,
      deadline: granted.data.deadline,
      extend: async () => {
        const later = addMillis(clock.now(), timeoutMillis)
        const extended = await run(item, { type: 'ExtendClaim', ...by(), fence, deadline: later })
        return extended.kind === 'rejected' ? undefined : later
      },
      release: async (reason) => {
        await run(item, { type: 'ReleaseClaim', ...by(), fence, reason })
      },
      fail: (reason) => deps.reportFailure(task, reason),
    }
  }

  return {
    name: queue,
    take: async (limit) => {
      const due = waiting(limit, { column: 'available', is: '<=', value: clock.now() })
      const tried = await Promise.allSettled(due.map(claim))
      const claims = tried.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
      // What was granted must be worked on, whatever became of the others: dropped claims count as failed attempts.
      const fault = tried.find((one) => one.status === 'rejected')
      if (claims.length === 0 && fault) throw fault.reason
      return claims
    },
    // What is due already was there to be taken; were it told again, it would hide what comes next.
    nextDue: async () => {
      const [next] = waiting(1, { column: 'available', is: '>', value: clock.now() })
      return next?.available as string | undefined
    },
  }
}
