import { ResolutionClass } from '../../domain/fixity/events.ts'
import { parts } from '../../domain/fixity/item-states.ts'
import { counts, resolutions, standingIn, stores } from '../../domain/fixity/views.ts'
import { is, rows, tally } from '../../domain/kernel/read-views.ts'
import { DAY, millisBetween, SECOND } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { ages, openedWithin } from '../../projections/fixity/questions/findings-question.ts'
import { checkedSince, countsOf } from '../../projections/fixity/questions/store-counts.ts'
import type { Measured } from '../workflow.ts'

type Views = Pick<ViewStore, 'query' | 'tally' | 'shape'>
type Values = Measured['values']

/** Measures items of each store by state, findings, and the progress of its checks; reads no row of an item. */
export const measureFixity = ({
  viewStore,
  clock,
}: {
  readonly viewStore: Views
  readonly clock: Pick<Clock, 'now'>
}): readonly Measured[] => {
  // A view that an older program folded has no counts until it is rebuilt.
  if (!viewStore.shape(counts.name)) return []
  const now = clock.now()
  const known = rows(viewStore, stores)
  const ofStores = (value: (row: RowOf<typeof stores>) => number): Values =>
    known.map((row) => ({ labels: { store: row.store }, value: value(row) }))
  return [
    { gauge: 'fixity_items', values: known.flatMap(({ store }) => itemsIn(viewStore, store, now)) },
    ...findings(
      viewStore,
      known.map(({ store }) => store),
      now,
    ),
    {
      gauge: 'fixity_looked_since_timestamp_seconds',
      values: ofStores(({ store }) => Date.parse(checkedSince(viewStore, store) ?? now) / SECOND),
    },
    { gauge: 'fixity_interval_seconds', values: ofStores((row) => ((row.intervalDays ?? 0) * DAY) / SECOND) },
    { gauge: 'fixity_store_away_seconds', values: ofStores((row) => awayMillis(row, now) / SECOND) },
  ]
}

const itemsIn = (viewStore: Views, store: string, now: string): Values => {
  const counted = countsOf(viewStore, store, now)
  return parts.map((state) => ({ labels: { store, state }, value: counted[state] }))
}

const awayMillis = (row: RowOf<typeof stores>, now: string): number => {
  const standing = standingIn(row, now)
  return standing.kind === 'there' ? 0 : Math.max(0, millisBetween(standing.since, now))
}

const classes = Object.keys(ResolutionClass.keys)

/** Uses index `fixity-resolutions (status, openedAt)`: resolved findings are not scanned. */
const findings = (viewStore: Views, known: readonly string[], now: string): readonly Measured[] => {
  const kinds = known.flatMap((store) => classes.map((kind) => ({ store, class: kind })))
  const open = ages.flatMap((age) => {
    const found = tally(viewStore, resolutions, {
      by: ['store', 'class'],
      where: [is('status', 'open'), ...openedWithin(age, now)],
    })
    const countOf = new Map(found.map((row) => [`${row.store}/${row.class}`, row.count]))
    return kinds.map((kind) => ({
      labels: { workflow: 'fixity', ...kind, age: age.age },
      value: countOf.get(`${kind.store}/${kind.class}`) ?? 0,
    }))
  })
  const [oldest] = rows(viewStore, resolutions, {
    where: [is('status', 'open')],
    orderBy: [{ column: 'openedAt' }],
    limit: 1,
  })
  const age = oldest ? Math.max(0, millisBetween(oldest.openedAt, now)) / SECOND : 0
  return [
    { gauge: 'findings_open', values: open },
    { gauge: 'finding_age_seconds', values: [{ labels: { workflow: 'fixity' }, value: age }] },
  ]
}
