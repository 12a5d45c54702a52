import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ColumnOf, RowOf, ViewShape } from '../../domain/kernel/view.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { episodeStream, researcherStream } from '../../domain/research/terms.ts'
import { leases, researchers } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { routeTo } from '../runtime/route.ts'
import type { Overdue, Passed } from '../runtime/ticker.ts'

const pageSize = 1000
const actor = 'ticker'

/**
 * Records, for audits, what time alone has ended: leases, items that nobody took, researchers that fell silent. A
 * lagging view may name one that was extended since: its stream decides, and nothing happens.
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
      rowsPast(viewStore, leases, is('state', state), 'deadline', now).map((row) =>
        noteLease(row, 'NoteExpired', `expired@${row.deadline}`, now),
      ),
    ),
})

const lapsedItems = (viewStore: ViewStore): Overdue => ({
  name: 'research-items',
  passed: async (now) => {
    return rowsPast(viewStore, leases, is('state', 'waiting'), 'notAfter', now).map((row) =>
      noteLease(row, 'NoteLapsed', `lapsed@${row.notAfter}`, now),
    )
  },
})

const silentResearchers = (viewStore: ViewStore): Overdue => ({
  name: 'research-researchers',
  passed: async (now) => {
    return rowsPast(viewStore, researchers, is('goneAt', null), 'presentUntil', now).map(
      ({ researcher, presentUntil }) => ({
        route: routeTo(researcherDecider, researcherStream(researcher), {
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
 * The rows of a state whose time has passed, the longest past first, a page at a time: the next page is found once these
 * are written. None before the first fold.
 */
const rowsPast = <Shape extends ViewShape>(
  viewStore: ViewStore,
  view: Shape,
  inState: ConditionOn<Shape>,
  column: ColumnOf<Shape>,
  now: string,
): readonly RowOf<Shape>[] =>
  rowsIfFolded(viewStore, view, {
    where: [inState, { column, is: '<=', value: now }],
    orderBy: [{ column }],
    limit: pageSize,
  })

const noteLease = (
  { episode, lease }: RowOf<typeof leases>,
  type: 'NoteExpired' | 'NoteLapsed',
  how: string,
  at: string,
): Passed => ({
  route: routeTo(episodeDecider, episodeStream(episode), {
    type,
    lease,
    actor,
    at,
  }),
  causationId: `lease/${lease}#${how}`,
})
