import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { is, row, rows } from '../../domain/kernel/read-views.ts'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { Researcher } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import type { ItemTask } from '../../domain/research/item-task.ts'
import { episodeStream } from '../../domain/research/terms.ts'
import { clips, episodes, leaseClips, leases } from '../../domain/research/views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, Correlated } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { type LeaseRow, mediaOf } from './item-rows.ts'

export interface ItemClaimDependencies {
  readonly execute: Execute
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly researcher: string
  /** As the log has it; absent: by the same name. Throws `UnavailableError`. */
  readonly inLog?: (researcher: string) => Promise<Researcher>
  /**
   * Absent: an item that the researcher has, while views still show it waiting, is given to it again, once by a queue.
   */
  readonly wish?: Wish
  /** Releases the item on the results topic, after all reports of it. */
  readonly release: (task: ItemTask, reason: string, of: Correlated) => Promise<void>
  /** Reports on the results topic that the attempt failed. */
  readonly fail: (task: ItemTask, reason: string, of: Correlated) => Promise<void>
}

/**
 * A researcher's request for an item. The same id means the same item as long as the researcher has it, another id
 * another item: even for a queue that is created for each request, and whatever views do not show yet.
 */
interface Wish {
  readonly id: string
  /** If true, views must show all that was taken before the repetition. */
  readonly mayBeRepeated: boolean
}

/**
 * Takes an item for the researcher, as its episode's stream decides. Undefined if the lease has ended, another
 * researcher was faster, or this one has the item by another wish. Throws `UnavailableError`.
 */
export const claimItem = async (
  item: LeaseRow,
  by: Researcher,
  deps: ItemClaimDependencies,
): Promise<Claimed<ItemTask> | undefined> => {
  const { viewStore, wish } = deps
  const task = taskOf(item, viewStore)
  if (!task) return undefined
  const causationId = wish && `take#${item.lease}#${encodeURIComponent(by.researcher)}#${wish.id}`
  const taken = await runOn(item, 'Take', by, deps, causationId)
  if (taken.kind === 'rejected' || taken.kind === 'contended') return undefined
  if (wish && taken.kind === 'unchanged') return undefined
  const { correlationId } = taken
  return {
    task,
    correlationId,
    deadline: item.deadline,
    extend: extending(item, by, deps),
    release: (reason) => deps.release(task, reason, { correlationId }),
    fail: (reason) => deps.fail(task, reason, { correlationId }),
  }
}

/** Undefined if the lease has ended. */
const taskOf = ({ lease, episode }: LeaseRow, viewStore: ViewStore): ItemTask | undefined => {
  const ids = row(viewStore, leaseClips, is('lease', lease))?.clips
  if (!ids) return undefined
  const curated = rows(viewStore, clips, { where: [{ column: 'clip', is: 'in', value: ids }] })
  const rowOf = new Map(curated.map((clip) => [clip.clip, clip]))
  return {
    lease,
    episode,
    media: mediaOf(row(viewStore, episodes, is('episode', episode))),
    clips: ids.flatMap((id) => {
      const media = mediaOf(rowOf.get(id))
      return media ? [{ id, media }] : []
    }),
  }
}

/** Extends a lease that was taken, as `Claimed` says. */
const extending = (
  item: LeaseRow,
  by: Researcher,
  deps: ItemClaimDependencies,
): Claimed<ItemTask>['extend'] => {
  const { viewStore, clock } = deps
  const { lease } = item
  const lifeMillis = millisBetween(item.grantedAt, item.deadline)
  let { deadline } = item

  return async () => {
    const now = row(viewStore, leases, is('lease', lease))
    if (now?.state === 'ended') return undefined
    if (now && now.deadline > deadline) deadline = now.deadline
    // Each result extends the lease: a command of its own is needed only if none came for long (X6).
    if (deadline > addMillis(clock.now(), lifeMillis / 2)) return deadline
    const extended = await runOn(item, 'Extend', by, deps)
    if (extended.kind === 'contended')
      throw new UnavailableError(`cannot extend lease ${lease}: others keep writing to its stream`)
    if (extended.kind === 'rejected') return undefined
    if (extended.kind === 'done' && extended.result?.deadline) deadline = extended.result.deadline
    return deadline
  }
}

const contended = { kind: 'contended' } as const

/**
 * Many researchers take items of one episode at once: `contended` if others were faster each time. Throws
 * `UnavailableError`.
 */
const runOn = (
  { lease, episode }: LeaseRow,
  type: 'Take' | 'Extend',
  by: Researcher,
  { execute, clock }: ItemClaimDependencies,
  causationId: string = uuid(),
) =>
  pipe(
    () =>
      execute(episodeDecider, {
        stream: episodeStream(episode),
        command: { type, lease, ...by, actor: by.researcher, at: clock.now() },
        causationId,
      }),
    TE.orElseW((failure) => (failure.kind === 'Contended' ? TE.right(contended) : TE.left(failure))),
    (executed) => orThrow(executed, type),
  )
