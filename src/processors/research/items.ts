import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { addMillis, millisBetween } from '../../domain/kernel/time.ts'
import type { EpisodeCommand } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { episodeStream, type Media } from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'
import type { Row, ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import { itemRows, mediaOf, rowByKey } from './item-rows.ts'

/** One work item: an episode, and clips to look for in it. */
export interface ItemTask {
  readonly lease: string
  readonly episode: string
  /** Undefined: the episode was withdrawn since. */
  readonly media: Media | undefined
  /** In their order, without those that were withdrawn since. */
  readonly clips: readonly { readonly id: string; readonly media: Media }[]
}

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
  readonly release: (task: ItemTask, reason: string) => Promise<void>
  /** Tells the results topic that the attempt failed. */
  readonly fail: (task: ItemTask, reason: string) => Promise<void>
}

/**
 * What a researcher wants an item for. The same name means the same item as long as the researcher has it, another name
 * another item: also for a queue that is made anew each time, and whatever views do not show yet.
 */
export interface Wish {
  readonly id: string
  /** Then views must show all that was taken before it was repeated. */
  readonly mayBeRepeated: boolean
}

/** The items that wait for a researcher. Who may have one is decided on the episode's own stream. */
export const itemQueue = (deps: ItemDependencies): TaskQueue<ItemTask> => {
  const { execute, viewStore, clock, researcher, wish } = deps
  /** What it has taken while views still show it: to take it again would change nothing, and be granted. */
  let had = new Set<string>()

  const byKey = rowByKey(viewStore)
  const rows = itemRows(deps)

  const mayTake = (): boolean => {
    const rest = deps.restsUntil()
    if (rest !== undefined && clock.now() < rest) return false
    const row = byKey('research-researchers', 'researcher', researcher)
    return !row?.blocked && !row?.draining
  }

  const candidates = (): readonly Row[] => {
    const waiting = mayTake() ? rows.waiting() : undefined
    // Looked for later, so that what is taken meanwhile is among these or those.
    const all = [...(wish?.mayBeRepeated ? rows.takenBy(researcher) : []), ...(waiting ?? [])]
    if (waiting) had = new Set(all.map(({ lease }) => lease as string).filter((lease) => had.has(lease)))
    return all.filter(({ lease }) => !had.has(lease as string))
  }

  const run = async (episode: string, command: EpisodeCommand, causationId: string = uuid()) => {
    const outcome = await execute(episodeDecider, {
      stream: episodeStream(episode),
      command,
      causationId,
      correlationId: uuid(),
    })
    if (!isLeft(outcome)) return outcome.right
    // Many want items of one episode at once: whoever was never the fastest looks for another.
    if (outcome.left.kind === 'Contended') return contended
    throw new Away(`${command.type}: ${JSON.stringify(outcome.left)}`)
  }

  /** Undefined: it has ended since. */
  const detailsOf = (row: Row): ItemTask | undefined => {
    const leased = byKey('research-lease-clips', 'lease', row.lease as string)
    if (!leased) return undefined
    const clips = leased.clips as readonly string[]
    const clipRows = viewStore.query('research-clips', {
      where: [{ column: 'clip', is: 'in', value: clips }],
    })
    const rowOf = new Map(clipRows.map((clip) => [clip.clip, clip]))
    return {
      lease: row.lease as string,
      episode: row.episode as string,
      media: mediaOf(byKey('research-episodes', 'episode', row.episode as string)),
      clips: clips.flatMap((id) => {
        const media = mediaOf(rowOf.get(id))
        return media ? [{ id, media }] : []
      }),
    }
  }

  const claim = async (row: Row): Promise<Claimed<ItemTask> | undefined> => {
    const lease = row.lease as string
    const episode = row.episode as string
    const by = () => ({ lease, researcher, actor: researcher, at: clock.now() })
    const task = detailsOf(row)
    if (!task) return undefined
    const cause = wish && `take#${lease}#${encodeURIComponent(researcher)}#${wish.id}`
    const outcome = await run(episode, { type: 'Take', ...by() }, cause)
    if (outcome.kind === 'rejected' || outcome.kind === 'contended') return undefined
    // It is of another wish.
    if (wish && outcome.kind === 'unchanged') return undefined
    had.add(lease)
    const lifeMillis = millisBetween(row.grantedAt as string, row.deadline as string)
    let deadline = row.deadline as string

    return {
      task,
      deadline,
      extend: async () => {
        const now = byKey('research-leases', 'lease', lease)
        if (now?.state === 'ended') return undefined
        if (now && (now.deadline as string) > deadline) deadline = now.deadline as string
        // Each result extends it: a word of its own is needed only where none came for long (X6).
        if (deadline > addMillis(clock.now(), lifeMillis / 2)) return deadline
        const extended = await run(episode, { type: 'Extend', ...by() })
        if (extended.kind === 'contended')
          throw new Away(`lease ${lease} could not be extended, since others write`)
        if (extended.kind === 'rejected') return undefined
        const event = extended.kind === 'done' && extended.events.find(({ type }) => type === 'LeaseExtended')
        if (event && event.type === 'LeaseExtended') deadline = event.data.deadline
        return deadline
      },
      release: (reason) => deps.release(task, reason),
      fail: (reason) => deps.fail(task, reason),
    }
  }

  return {
    name: 'items',
    take: async (limit) => {
      const claims: Claimed<ItemTask>[] = []
      // Before the first fold there is no view.
      if (!viewStore.shape('research-leases')) return claims
      for (const row of candidates()) {
        if (claims.length >= limit) break
        try {
          const one = await claim(row)
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
