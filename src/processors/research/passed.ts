import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { episodeStream, researcherStream } from '../../domain/research/terms.ts'
import type { Condition, Row, ViewStore } from '../../ports/view-store.ts'
import { planFor } from '../runtime/plan.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 1000
const actor = 'ticker'

/**
 * What time alone has ended is written down for audits: leases, items that nobody took, researchers that fell silent.
 * Views that lag tell of some that were extended since: their streams know better, and nothing happens.
 */
export const passed = (viewStore: ViewStore): readonly Overdue[] => [
  expiredLeases(viewStore),
  lapsedItems(viewStore),
  silentResearchers(viewStore),
]

const expiredLeases = (viewStore: ViewStore): Overdue => ({
  name: 'research-leases',
  passed: async (now) =>
    ['waiting', 'taken', 'lapsed'].flatMap((state) =>
      rowsPast(viewStore, 'research-leases', { column: 'state', is: '=', value: state }, 'deadline', now).map(
        (row) => noteLease(row, 'NoteExpired', `expired@${row.deadline}`, now),
      ),
    ),
})

const lapsedItems = (viewStore: ViewStore): Overdue => ({
  name: 'research-items',
  passed: async (now) => {
    const waiting = { column: 'state', is: '=', value: 'waiting' } as const
    return rowsPast(viewStore, 'research-leases', waiting, 'notAfter', now).map((row) =>
      noteLease(row, 'NoteLapsed', `lapsed@${row.notAfter}`, now),
    )
  },
})

const silentResearchers = (viewStore: ViewStore): Overdue => ({
  name: 'research-researchers',
  passed: async (now) => {
    const there = { column: 'goneAt', is: '=', value: null } as const
    return rowsPast(viewStore, 'research-researchers', there, 'presentUntil', now).map(
      ({ researcher, presentUntil }) => ({
        plan: planFor(researcherDecider, researcherStream(researcher as string), {
          type: 'NoteSilent',
          actor,
          at: now,
        }),
        causationId: `researcher/${researcher}#silent@${presentUntil}`,
      }),
    )
  },
})

/**
 * Those of a state whose time has passed, of the few rows in that state; the longest past first, a page at a time: the others
 * are found once these are written. None before the first fold.
 */
const rowsPast = (
  viewStore: ViewStore,
  view: string,
  inState: Condition,
  column: string,
  now: string,
): readonly Row[] =>
  viewStore.shape(view) === undefined
    ? []
    : viewStore.query(view, {
        where: [inState, { column, is: '<=', value: now }],
        orderBy: [{ column }],
        limit: pageSize,
      })

const noteLease = (
  { episode, lease }: Row,
  type: 'NoteExpired' | 'NoteLapsed',
  how: string,
  at: string,
): Passed => ({
  plan: planFor(episodeDecider, episodeStream(episode as string), {
    type,
    lease: lease as string,
    actor,
    at,
  }),
  causationId: `lease/${lease}#${how}`,
})
