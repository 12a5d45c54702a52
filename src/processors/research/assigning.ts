import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import { assess } from '../../domain/research/capacity.ts'
import { type Assessed, capacityDecider } from '../../domain/research/capacity-decide.ts'
import type { LeaseTerms } from '../../domain/research/selection/board.ts'
import { capacityStream } from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Execute } from '../runtime/execute.ts'
import type { LoadedBoard } from './board-load.ts'
import { actor, type GrantingDependencies, type Written, writeGrants } from './granting.ts'

export interface AssigningDependencies extends GrantingDependencies {
  readonly clock: Clock
  /** Writes what a run came to. */
  readonly note: Execute
}

export interface AssigningLimits {
  /** Items added in one turn; then what the log says meanwhile has its turn. */
  readonly mostItems: number
  /** Characters of clip ids in one append to one episode, where that is several leases: logs take so much at once. */
  readonly mostCharacters: number
}

export interface Assigning {
  /**
   * Looks, and adds, until a look says stop or it is enough at once; more follows when what was written has been folded
   * in. False when it was to stop. Throws `Away`.
   */
  turn(goesOn: () => boolean): Promise<boolean>
  /** Nothing is on the board but what is folded in. */
  isAtRest(): boolean
}

/** So long a run goes on before it is told of. */
const mostSilence = SECOND

interface Chosen {
  readonly leases: readonly LeaseTerms[]
  /** What the last look found. Without it there is more to be chosen once this is written. */
  readonly ended?: Omit<Assessed, 'added'>
}

/**
 * Turns of the capacity loop (L3 to L9). What is chosen counts at once on the board, as held, so that the next look finds it
 * (L7). Where somebody else was faster the turn ends: the events that say so come before the next choice.
 */
export const assigning = (
  loaded: LoadedBoard,
  deps: AssigningDependencies,
  limits: AssigningLimits,
): Assigning => {
  const { board } = loaded
  /** Items that no assessment tells of yet. */
  const written: Written = { items: 0, through: -1n }
  let lastStop: Assessed['stopped'] | undefined
  let toldAt = ''

  /** Clocks are put right, but the board never goes back, and the grant is to be seen with its eyes. */
  function advance(): string {
    const now = deps.clock.now()
    if (now > loaded.advancedTo) loaded.advancedTo = now
    board.advance(loaded.advancedTo)
    return loaded.advancedTo
  }

  function choose(now: string): Chosen {
    const { leaseSeconds, itemSeconds } = board.policy().policy
    const deadline = addMillis(now, leaseSeconds * SECOND)
    const notAfter = addMillis(now, itemSeconds * SECOND)
    const leases: LeaseTerms[] = []
    const characters = new Map<string, number>()
    for (;;) {
      const readings = board.readings()
      const stop = (stopped: Assessed['stopped']): Chosen => ({ leases, ended: { ...readings, stopped } })
      if (board.paused()) return stop('paused')
      const look = assess(readings)
      if (!look.add) return stop(look.stopped)
      if (leases.length === limits.mostItems) return { leases }
      const choice = board.select()
      if (!choice) return stop('no-work')
      const before = characters.get(choice.episode) ?? 0
      const together = choice.clips.reduce((sum, clip) => sum + clip.length, before)
      if (before > 0 && together > limits.mostCharacters) return { leases }
      characters.set(choice.episode, together)
      const terms = { lease: uuid(), ...choice, deadline, notAfter }
      board.hold(terms)
      leases.push(terms)
    }
  }

  function grantPolicy() {
    const { version, policy } = board.policy()
    const { leaseSeconds, itemSeconds, longestLeaseSeconds, attempts } = policy
    return {
      version,
      leaseSeconds,
      itemSeconds,
      attempts,
      ...(longestLeaseSeconds && { longestLeaseSeconds }),
    }
  }

  /** An archive without episodes and clips is told nothing: it has no research. */
  function isNews(stopped: Assessed['stopped']): boolean {
    const { episodes, clips } = board.size()
    return written.items > 0 || (stopped !== lastStop && episodes + clips > 0)
  }

  async function tell(assessed: Assessed, at: string): Promise<void> {
    const cause = uuid()
    const told = await deps.note(capacityDecider, {
      stream: capacityStream,
      command: { type: 'Assess', actor, at, assessed },
      causationId: cause,
      correlationId: cause,
    })
    // A stream that was deleted for good keeps no decisions, and holds up no work.
    if (isLeft(told) && told.left.kind !== 'StreamDeleted')
      throw new Away(`${capacityStream}: ${JSON.stringify(told.left)}`)
    written.items = 0
    lastStop = assessed.stopped
    toldAt = at
  }

  return {
    isAtRest: () => loaded.folded >= written.through,

    async turn(goesOn) {
      if (!goesOn()) return false
      const now = advance()
      const { leases, ended } = choose(now)
      if (leases.length > 0 && !(await writeGrants(leases, grantPolicy(), now, board, written, deps)))
        return goesOn()
      if (!ended || !isNews(ended.stopped)) return goesOn()
      // While items are taken as fast as they come: what was added wakes the next turn, and that one can tell it.
      if (leases.length > 0 && toldAt !== '' && now < addMillis(toldAt, mostSilence)) return goesOn()
      if (!goesOn()) return false
      await tell({ ...ended, added: written.items }, now)
      return true
    },
  }
}
