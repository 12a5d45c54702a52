import { isRight, left, right } from 'fp-ts/lib/Either.js'
import type { Decider } from '../kernel/decider.ts'
import { decisionOf } from '../kernel/decider.ts'
import type { Rejection } from '../kernel/rejection.ts'
import type { Take } from './episode/commands.ts'
import { episodeDecider } from './episode/decide.ts'
import type { EpisodeEvent } from './episode/events.ts'
import type { EpisodeState } from './episode/state.ts'

interface BlockedRejection extends Rejection {
  readonly code: 'blocked'
}

/**
 * An episode, to a researcher that is blocked (X5): nothing can be taken, whatever else might be said against it. An item that
 * it has already it keeps, as all that it reports.
 */
export const blockedTakeDecider: Decider<EpisodeState, Take, EpisodeEvent, BlockedRejection> = {
  ...episodeDecider,
  decide: (command, state) => {
    const decided = episodeDecider.decide(command, state)
    return isRight(decided) && decisionOf(decided.right).events.length === 0
      ? right([])
      : left(blocked(command))
  },
}

const blocked = ({ lease, researcher }: Take): BlockedRejection => ({
  code: 'blocked',
  message: `${researcher} is blocked and cannot take item ${lease}, which is left to others; stop it where it runs, or give it work again (research.unblock)`,
  details: { lease, researcher },
})
