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
  /** Need this media not be fetched? Such items go first (X12). */
  readonly isAtHand: (media: Media) => boolean
  /** Until when it takes nothing, if it is to rest. */
  readonly restsUntil: () => string | undefined
  /** Gives the item back on the results topic, behind what was reported of it. */
  readonly release: (task: ItemTask, reason: string) => Promise<void>
  /** Tells the results topic that the attempt failed. */
  readonly fail: (task: ItemTask, reason: string) => Promise<void>
}

/** Items looked at when one is chosen: more do not wait, unless researchers are away. */
const mostLooked = 100

/** The items that wait for a researcher. Who may have one is decided on the episode's own stream. */
export const itemQueue = (deps: ItemDependencies): TaskQueue<ItemTask> => {
  const { execute, viewStore, clock, researcher } = deps
  /** What it has taken while the view still shows it waiting: to take it again would change nothing, and be granted. */
  let had = new Set<string>()

  const byKey = (view: string, column: string, value: string): Row | undefined =>
    viewStore.query(view, { where: [{ column, is: '=', value }], limit: 1 })[0]

  const mayTake = (): boolean => {
    const rest = deps.restsUntil()
    if (rest !== undefined && clock.now() < rest) return false
    // Before the first fold there is no view.
    if (!viewStore.shape('research-leases')) return false
    const row = byKey('research-researchers', 'researcher', researcher)
    return !row?.blocked && !row?.draining
  }

  const waiting = (): readonly Row[] => {
    const rows = viewStore.query('research-leases', {
      where: [
        { column: 'state', is: '=', value: 'waiting' },
        { column: 'notAfter', is: '>', value: clock.now() },
      ],
      orderBy: [{ column: 'grantedAt' }],
      limit: mostLooked,
    })
    had = new Set(rows.map(({ lease }) => lease as string).filter((lease) => had.has(lease)))
    const isAtHand = atHandNow()
    return rows
      .filter(({ lease }) => !had.has(lease as string))
      .map((row) => ({ row, rank: rankOf(row, isAtHand) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ row }) => row)
  }

  /** The oldest first; what is at hand before it, but not for ever. */
  const rankOf = ({ episode, grantedAt, notAfter }: Row, isAtHand: (episode: string) => boolean): number => {
    const age = millisBetween(grantedAt as string, clock.now())
    if (age > millisBetween(grantedAt as string, notAfter as string) / 2) return 0
    return isAtHand(episode as string) ? 1 : 2
  }

  /** Many items are of few episodes: each is looked up once in a look. */
  const atHandNow = () => {
    const known = new Map<string, boolean>()
    return (episode: string): boolean => {
      const found = known.get(episode)
      if (found !== undefined) return found
      const media = mediaOf(byKey('research-episodes', 'episode', episode))
      const atHand = media !== undefined && deps.isAtHand(media)
      known.set(episode, atHand)
      return atHand
    }
  }

  const run = async (episode: string, command: EpisodeCommand) => {
    const outcome = await execute(episodeDecider, {
      stream: episodeStream(episode),
      command,
      causationId: uuid(),
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
    const rows = viewStore.query('research-clips', { where: [{ column: 'clip', is: 'in', value: clips }] })
    const rowOf = new Map(rows.map((clip) => [clip.clip, clip]))
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
    const outcome = await run(episode, { type: 'Take', ...by() })
    if (outcome.kind === 'rejected' || outcome.kind === 'contended') return undefined
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
      if (!mayTake()) return claims
      for (const row of waiting()) {
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

const mediaOf = (row: Row | undefined): Media | undefined =>
  row && !row.withdrawnAt && row.mediaUri
    ? { uri: row.mediaUri as string, type: row.mediaType as string }
    : undefined
