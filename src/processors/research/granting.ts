import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v7 as uuid } from 'uuid'
import { finishAll } from '../../async/finish-all.ts'
import { UnavailableError, unavailable } from '../../async/unavailable.ts'
import type { Grant } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import type { LeaseTerms, SchedulerState } from '../../domain/research/selection/scheduler-state.ts'
import { episodeStream } from '../../domain/research/terms.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Execute } from '../runtime/execute.ts'
import { goneEpisode } from './gone.ts'
import { assignerName as processor } from './load-scheduler-state.ts'

export interface GrantingDependencies {
  readonly execute: Execute
  readonly telemetry: Telemetry
  readonly log: Logger
}

/** What came of it, also where some failed. */
export interface Written {
  items: number
  /** Position of the last event. */
  through: bigint
}

export const actor = 'fonds/assigner'

/**
 * Writes leases that the scheduler state holds, side by side, those of one episode in one append. What is not written is held no
 * longer. False when not all are: somebody else was faster, as events will say that are yet to be folded in. Throws `UnavailableError`.
 */
export const writeGrants = async (
  leases: readonly LeaseTerms[],
  policy: Grant['policy'],
  at: string,
  scheduler: SchedulerState,
  written: Written,
  { execute, telemetry, log }: GrantingDependencies,
): Promise<boolean> => {
  /** The executor's own repeats are known by it. A grant that failed is chosen anew. */
  const causationId = uuid()

  const grant = async (episode: string, group: readonly LeaseTerms[]): Promise<boolean> => {
    const outcome = await execute(episodeDecider, {
      stream: episodeStream(episode),
      command: {
        type: 'Grant',
        actor,
        at,
        policy,
        leases: group.map(({ lease, clips }) => ({ lease, clips })),
      },
      causationId,
    })
    if (isLeft(outcome)) {
      const { kind } = outcome.left
      if (kind === 'Unavailable') throw unavailable(outcome.left)
      if (kind === 'TooLarge')
        throw new UnavailableError(
          `a lease of ${group[0]?.clips.length} clips of episode ${episode} is too large for the log; set maxClips lower`,
        )
      if (kind === 'StreamDeleted') leaveOut(episode)
      return false
    }
    const result = outcome.right
    // Leases that were written off may have parked the episode instead.
    if (result.kind === 'repeated' || (result.kind === 'done' && result.result?.granted)) {
      written.items += group.length
      if (result.position > written.through) written.through = result.position
      return true
    }
    if (result.kind === 'rejected') {
      log.debug({ part: processor, episode }, result.rejection.message)
      if (result.rejection.code === 'never-curated') leaveOut(episode)
    }
    return false
  }

  /** No event would ever say why it is refused. */
  const leaveOut = (episode: string): void => {
    log.error({ part: processor, episode }, 'the stream of an episode was deleted; it is not handed out')
    scheduler.fold(goneEpisode(episode, actor, at))
  }

  const grantOrLetGo = async (episode: string, group: readonly LeaseTerms[]): Promise<boolean> => {
    let isWritten = false
    try {
      isWritten = await grant(episode, group)
    } finally {
      if (!isWritten) for (const { lease } of group) scheduler.unhold(lease)
      telemetry.count('messages', { processor, outcome: isWritten ? 'granted' : 'refused' }, group.length)
    }
    return isWritten
  }

  const groups = Map.groupBy(leases, ({ episode }) => episode)
  const all = await finishAll([...groups].map(([episode, group]) => grantOrLetGo(episode, group)))
  return all.every(Boolean)
}
