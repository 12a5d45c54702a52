import {
  batches,
  claims,
  counts,
  reads,
  requests,
  resolutions,
  standingIn,
  stores,
} from '../../domain/fixity/views.ts'
import { countRows, is, narrowRows, row, rows, tally } from '../../domain/kernel/read-views.ts'
import { bagsAlone } from '../../projections/fixity/questions/bags-alone.ts'
import {
  type StandingDifferences,
  standingOfCompared,
  sumOf,
} from '../../projections/fixity/questions/standing-differences.ts'
import { doneInHour } from '../../projections/kernel/questions/activity.ts'
import { expectedEnd, maxUnderWay, type Overview, type UnderWay } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Known = Pick<WorkflowContext, 'viewStore' | 'clock'>

/** Stores that are being checked, and how many findings, parked items, bags that are not valid, stores away and stores with differences there are. */
export const fixityOverview = (system: Known): Overview | undefined =>
  system.viewStore.shape(resolutions.name)
    ? { underWay: storesUnderWay(system), needs: needs(system) }
    : undefined

const needs = ({ viewStore, clock }: Known): number => {
  const now = clock.now()
  const parked = rows(viewStore, counts, {
    where: [is('of', 'state'), { column: 'value', is: '=', value: 'parked' }],
  })
  return (
    countRows(viewStore, resolutions, is('status', 'open')) +
    parked.reduce((sum, { count }) => sum + count, 0) +
    bagsAlone(viewStore, now).length +
    rows(viewStore, stores).filter((one) => standingIn(one, now).kind === 'away').length +
    standingOfCompared(viewStore).reduce((sum, one) => sum + needsOf(one), 0)
  )
}

/** New files that wait for a person, and files that are not as recorded and wait for nothing: one need each of a store. */
const needsOf = ({ unrecorded, needs, comparison }: StandingDifferences): number =>
  (unrecorded > 0 && comparison.requests.length === 0 ? 1 : 0) + (sumOf(needs) > 0 ? 1 : 0)

/** A store whose checks are in hand or asked for: those done today, and those that are still to come of what was asked for. */
const storesUnderWay = ({ viewStore, clock }: Known): readonly UnderWay[] => {
  const now = clock.now()
  const inHand = new Map<string, number>()
  const add = (store: string, items: number) => inHand.set(store, (inHand.get(store) ?? 0) + items)
  for (const { store, items } of tally(viewStore, batches, { by: ['store'], sum: ['items'] }))
    add(store, items)
  for (const { store, count } of tally(viewStore, claims, { by: ['store'] })) add(store ?? '', count)
  const asked = new Map<string, number>()
  for (const { store, items } of narrowRows(viewStore, requests, ['store', 'items']))
    asked.set(store, (asked.get(store) ?? 0) + items)
  return [...inHand].slice(0, maxUnderWay).map(([store, held]) => {
    const left = Math.max(held, asked.get(store) ?? 0)
    const today = row(viewStore, reads, is('store', store), is('day', now.slice(0, 10)))?.checks ?? 0
    const until = expectedEnd(left, { inHour: doneInHour(viewStore, 'fixity', now), now })
    return {
      title: `Checks of ${store} today`,
      page: '/fixity',
      done: today,
      total: today + left,
      ...(until !== undefined && { until }),
    }
  })
}
