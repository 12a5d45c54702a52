import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import { finishAll } from '../../async/finish-all.ts'
import { UnavailableError, unavailable } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Grant } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import type { LeaseTerms, SchedulerState } from '../../domain/research/selection/scheduler-state.ts'
import { episodeStream } from '../../domain/research/terms.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Execute } from '../runtime/execute.ts'
import { assignerName as processor } from './load-scheduler-state.ts'

export interface GrantingDependencies {
  readonly execute: Execute
  readonly telemetry: Telemetry
  readonly log: Logger
}

/** Counts the grants that were written, even if others failed. */
export interface Written {
  items: number
  /** Position of the last event. */
  through: bigint
}

export const actor = 'fonds/assigner'

/** Leases that were chosen together, of several episodes. */
interface Slice {
  readonly leases: readonly LeaseTerms[]
  readonly policy: Grant['policy']
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Leases of one episode. */
interface Group extends Slice {
  readonly episode: string
  /** The executor recognises its own repeats by it. A failed grant is chosen again. */
  readonly causationId: string
}

/**
 * Writes leases that the scheduler state holds, side by side, those of one episode in one append. The state no longer
 * holds those that could not be written. Returns false if some could not: another writer was faster, and its events are
 * still to be folded in. Throws `UnavailableError`.
 */
export const writeGrants = async (
  slice: Slice,
  scheduler: SchedulerState,
  written: Written,
  deps: GrantingDependencies,
): Promise<boolean> => {
  const causationId = uuid()

  const write = async (group: Group): Promise<boolean> => {
    let isWritten = false
    try {
      const granted = await grant(group, deps)
      if (granted === 'gone') leaveOut(group, scheduler, deps.log)
      if (typeof granted === 'bigint') {
        count(group, granted, written)
        isWritten = true
      }
    } finally {
      if (!isWritten) for (const { lease } of group.leases) scheduler.unhold(lease)
      const outcome = isWritten ? 'granted' : 'refused'
      deps.telemetry.count('messages', { processor, outcome }, group.leases.length)
    }
    return isWritten
  }

  const groups = [...Map.groupBy(slice.leases, ({ episode }) => episode)]
  const all = await finishAll(
    groups.map(([episode, leases]) => write({ ...slice, causationId, episode, leases })),
  )
  return all.every(Boolean)
}

/**
 * Position of the grants. `gone`: the stream of the episode was deleted, or the episode was never curated. `rejected`:
 * the episode is not as the scheduler state has it. Throws `UnavailableError`.
 */
const grant = async (
  { episode, leases, policy, at, causationId }: Group,
  { execute, log }: GrantingDependencies,
): Promise<bigint | 'gone' | 'rejected'> => {
  const executed = await execute(episodeDecider, {
    stream: episodeStream(episode),
    command: {
      type: 'Grant',
      actor,
      at,
      policy,
      leases: leases.map(({ lease, clips }) => ({ lease, clips })),
    },
    causationId,
  })
  if (isLeft(executed)) {
    const failure = executed.left
    if (failure.kind === 'Unavailable') throw unavailable(failure)
    if (failure.kind === 'TooLarge')
      throw new UnavailableError(
        `a lease of ${leases[0]?.clips.length} clips of episode ${episode} is too large for the log; set maxClips lower`,
      )
    return failure.kind === 'StreamDeleted' ? 'gone' : 'rejected'
  }
  const outcome = executed.right
  switch (outcome.kind) {
    case 'repeated':
      return outcome.position
    case 'done':
      // Leases that were written off may have parked the episode instead.
      return outcome.result?.granted ? outcome.position : 'rejected'
    case 'rejected':
      log.debug({ part: processor, episode }, outcome.rejection.message)
      return outcome.rejection.code === 'never-curated' ? 'gone' : 'rejected'
    case 'unchanged':
      return 'rejected'
  }
}

const count = ({ leases }: Group, position: bigint, written: Written): void => {
  written.items += leases.length
  if (position > written.through) written.through = position
}

/** Marks the episode as deleted in the scheduler state: no event would ever say why it rejects its leases. */
const leaveOut = ({ episode, at }: Group, scheduler: SchedulerState, log: Logger): void => {
  log.error({ part: processor, episode }, 'the stream of an episode is deleted; the episode is not assigned')
  scheduler.fold(deletedEpisode(episode, actor, at))
}

/**
 * Withdraws an episode whose stream was deleted from the scheduler state, which would choose it for ever: a deletion is no
 * event. This one is never stored.
 */
const deletedEpisode = (episode: string, actor: string, at: string): RecordedEvent => ({
  id: '',
  type: 'Withdrawn',
  stream: episodeStream(episode),
  revision: -1n,
  position: -1n,
  recordedAt: at,
  data: { curator: actor, reason: 'its stream was deleted', at },
  metadata: { actor, causationId: '', correlationId: '', schema: 1 },
})
