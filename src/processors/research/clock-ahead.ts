import { watchSilence } from '../../async/silence.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis, MINUTE, SECOND } from '../../domain/kernel/time.ts'
import { maxSkewMillis } from '../../domain/kernel/waiting.ts'
import { clipDecider } from '../../domain/research/clip/decide.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { aheadReason } from '../../domain/research/failing.ts'
import { backoffAfter } from '../../domain/research/policy/policy.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { clipStream, episodeStream, researcherStream } from '../../domain/research/terms.ts'
import { clips, episodes, failures, researchers } from '../../domain/research/views.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'
import type { PolicyLookup } from './policy-lookup.ts'

/* A clock that ran ahead leaves times in the future: these checks make sure that nobody waits until then. */

interface ClockAheadDependencies {
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly policy: PolicyLookup
}

export const clockAhead = (deps: ClockAheadDependencies): readonly Overdue[] => [
  presentTomorrow(deps),
  backOffsOfTomorrow(deps),
]

const actor = 'ticker'
const pageSize = 1000

/**
 * Notes researchers as silent whose presence ends later than it can, once they have been silent for as long as they may
 * be.
 */
const presentTomorrow = ({ viewStore, clock, policy }: ClockAheadDependencies): Overdue => {
  const silenceOf = watchSilence(clock)
  return {
    name: 'research-researchers-ahead',
    passed: async (at) => {
      const millis = (await policy()).presenceSeconds * SECOND
      const ahead = rowsIfFolded(viewStore, researchers, {
        where: [
          is('goneAt', null),
          { column: 'presentUntil', is: '>', value: addMillis(at, millis + maxSkewMillis) },
        ],
        orderBy: [{ column: 'presentUntil' }],
        limit: pageSize,
      })
      return silenceOf(ahead, ({ researcher, presentUntil }) => [researcher, presentUntil ?? '']).flatMap(
        ([{ researcher, presentUntil }, silent]): readonly Passed[] => {
          if (silent < millis) return []
          const command = { type: 'NoteSilent', lastWord: presentUntil ?? undefined, actor, at } as const
          return [
            {
              route: routeTo(researcherDecider, researcherStream(researcher), command),
              causationId: `researcher/${researcher}#silent@${presentUntil}`,
            },
          ]
        },
      )
    },
  }
}

/**
 * Ends back-offs that end later than one that begins now. Queries them at the first call and after the clock was put
 * back, since no index leads to them.
 */
const backOffsOfTomorrow = ({ viewStore, clock, policy }: ClockAheadDependencies): Overdue => {
  const wasPutBack = watchClock(clock)
  /** True until the back-offs found are written. */
  let isFound = false
  return {
    name: 'research-back-offs-ahead',
    passed: async (at) => {
      if (!wasPutBack() && !isFound) return []
      const rules = await policy()
      const later = { where: [{ column: 'retryAt', is: '>', value: at }], limit: pageSize } as const
      const isAhead = ({ failures: count, retryAt }: { failures: number | null; retryAt: string | null }) => {
        const pause = backoffAfter(count ?? 1, rules) ?? rules.backoffSeconds
        return retryAt !== null && retryAt > addMillis(at, pause * SECOND + maxSkewMillis)
      }
      const retry = { type: 'Retry', reason: aheadReason, actor, at } as const
      const ofEpisode = (episode: string, retryAt: string | null): Passed => ({
        route: routeTo(episodeDecider, episodeStream(episode), retry),
        causationId: `back-off/${episode}@${retryAt}`,
      })
      const found = [
        ...rowsIfFolded(viewStore, episodes, later)
          .filter(isAhead)
          .map((row) => ofEpisode(row.episode ?? '', row.retryAt)),
        ...rowsIfFolded(viewStore, failures, later)
          .filter(isAhead)
          .map((row) => ofEpisode(row.episode ?? '', row.retryAt)),
        ...rowsIfFolded(viewStore, clips, later)
          .filter(isAhead)
          .map(({ clip, retryAt }) => ({
            route: routeTo(clipDecider, clipStream(clip ?? ''), retry),
            causationId: `back-off/${clip}@${retryAt}`,
          })),
      ]
      isFound = found.length > 0
      return found
    },
  }
}

/** True at the first call, and whenever the time of day has lost more than a minute since the call before. */
const watchClock = ({ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): (() => boolean) => {
  let before = Number.POSITIVE_INFINITY
  return () => {
    const ahead = Date.parse(now()) - monotonic()
    const lost = before - ahead
    before = ahead
    return lost > MINUTE
  }
}
