import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { UnavailableError, unavailable } from '../../async/unavailable.ts'
import { is, row, rows } from '../../domain/kernel/read-views.ts'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { EpisodeCommand } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import type { ItemTask } from '../../domain/research/item-task.ts'
import { episodeStream, type Media } from '../../domain/research/terms.ts'
import { clips, episodes, leaseClips, leases, researchers } from '../../domain/research/views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, InConversation, TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { itemRows, type LeaseRow, mediaOf } from './item-rows.ts'

export interface ItemDependencies {
  readonly execute: Execute
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly researcher: string
  /** Absent: what the researcher has while the view still shows it waiting is given to it again, by a queue once. */
  readonly wish?: Wish
  /** Need this media not be fetched? Such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
  /** Until when it takes nothing, if it is to rest. */
  readonly restsUntil: () => string | undefined
  /** Gives the item back on the results topic, behind what was reported of it. */
  readonly release: (task: ItemTask, reason: string, of: InConversation) => Promise<void>
  /** Tells the results topic that the attempt failed. */
  readonly fail: (task: ItemTask, reason: string, of: InConversation) => Promise<void>
}

/**
 * What a researcher wants an item for. The same name means the same item as long as the researcher has it, another name
 * another item: also for a queue that is made anew each time, and whatever views do not show yet.
 */
interface Wish {
  readonly id: string
  /** Then views must show all that was taken before it was repeated. */
  readonly mayBeRepeated: boolean
}

/** The items that wait for a researcher. Who may have one is decided on the episode's own stream. */
export const itemQueue = (deps: ItemDependencies): TaskQueue<ItemTask> => {
  const { execute, viewStore, clock, researcher, wish } = deps
  /** What it has taken while views still show it: to take it again would change nothing, and be granted. */
  let had = new Set<string>()

  const items = itemRows(deps)

  const mayTake = (): boolean => {
    const rest = deps.restsUntil()
    if (rest !== undefined && clock.now() < rest) return false
    const known = row(viewStore, researchers, is('researcher', researcher))
    return !known?.blocked && !known?.draining
  }

  const candidates = (): readonly LeaseRow[] => {
    const waiting = mayTake() ? items.waiting() : undefined
    // Looked for later, so that what is taken meanwhile is among these or those.
    const all = [...(wish?.mayBeRepeated ? items.takenBy(researcher) : []), ...(waiting ?? [])]
    if (waiting) had = new Set(all.map(({ lease }) => lease).filter((lease) => had.has(lease)))
    return all.filter(({ lease }) => !had.has(lease))
  }

  const run = async (episode: string, command: EpisodeCommand, causationId: string = uuid()) => {
    const outcome = await execute(episodeDecider, {
      stream: episodeStream(episode),
      command,
      causationId,
    })
    if (!isLeft(outcome)) return outcome.right
    // Many want items of one episode at once: whoever was never the fastest looks for another.
    if (outcome.left.kind === 'Contended') return contended
    throw unavailable(outcome.left, command.type)
  }

  /** Undefined: it has ended since. */
  const detailsOf = ({ lease, episode }: LeaseRow): ItemTask | undefined => {
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

  const claim = async (item: LeaseRow): Promise<Claimed<ItemTask> | undefined> => {
    const { lease, episode } = item
    const by = () => ({ lease, researcher, actor: researcher, at: clock.now() })
    const task = detailsOf(item)
    if (!task) return undefined
    const cause = wish && `take#${lease}#${encodeURIComponent(researcher)}#${wish.id}`
    const outcome = await run(episode, { type: 'Take', ...by() }, cause)
    if (outcome.kind === 'rejected' || outcome.kind === 'contended') return undefined
    // It is of another wish.
    if (wish && outcome.kind === 'unchanged') return undefined
    had.add(lease)
    const lifeMillis = millisBetween(item.grantedAt, item.deadline)
    let { deadline } = item

    const { correlationId } = outcome

    return {
      task,
      correlationId,
      deadline,
      extend: async () => {
        const now = row(viewStore, leases, is('lease', lease))
        if (now?.state === 'ended') return undefined
        if (now && now.deadline > deadline) deadline = now.deadline
        // Each result extends it: a word of its own is needed only where none came for long (X6).
        if (deadline > addMillis(clock.now(), lifeMillis / 2)) return deadline
        const extended = await run(episode, { type: 'Extend', ...by() })
        if (extended.kind === 'contended')
          throw new UnavailableError(`lease ${lease} could not be extended, since others write`)
        if (extended.kind === 'rejected') return undefined
        if (extended.kind === 'done' && extended.result?.deadline) deadline = extended.result.deadline
        return deadline
      },
      release: (reason) => deps.release(task, reason, { correlationId }),
      fail: (reason) => deps.fail(task, reason, { correlationId }),
    }
  }

  return {
    name: 'items',
    take: async (limit) => {
      const claims: Claimed<ItemTask>[] = []
      // Before the first fold there is no view.
      if (!viewStore.shape(leases.name)) return claims
      for (const item of candidates()) {
        if (claims.length >= limit) break
        try {
          const one = await claim(item)
          if (one) claims.push(one)
        } catch (error) {
          // What was granted must be worked on, whatever became of the others.
          if (claims.length === 0) throw error
          break
        }
      }
      return claims
    },
    // Items can be taken from when they are there, and word of that wakes whoever waits.
    nextDue: async () => deps.restsUntil(),
  }
}

const contended = { kind: 'contended' } as const
