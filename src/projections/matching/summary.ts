import type { Document } from '../../domain/matching/merged/document.ts'
import type { WorkState } from '../../domain/matching/work.ts'
import type { Condition } from '../../ports/view-store.ts'
import type { SummaryAnswer } from './answers.ts'
import { generationOf, is, isSet, type OfGeneration, rows, type Views } from './reading.ts'
import { graphs, links, merged, placeholders, refusals, sizes, works } from './views.ts'

const mostLargest = 10

/** What there is, in numbers. */
export const summary = (store: Views, of: OfGeneration = {}): SummaryAnswer => {
  const generation = generationOf(store, of)
  const ofIt = is('generation', generation)
  const bySize = rows(store, sizes, { where: [ofIt] })
  const tally = (view: string, by: string, where: readonly Condition[] = []) =>
    new Map(store.tally(view, { by: [by], where }).map((row) => [row[by] as string, row.count as number]))
  const total = (view: string, where: readonly Condition[] = []) =>
    (store.tally(view, { by: [], where })[0]?.count ?? 0) as number

  const states = tally(works.name, 'state')
  const kinds = tally(merged.name, 'kind', [ofIt])
  const stateCount = (state: WorkState) => states.get(state) ?? 0
  const kindCount = (kind: Document['kind']) => kinds.get(kind) ?? 0
  return {
    generation,
    works: {
      visible: stateCount('visible'),
      invisible: stateCount('invisible'),
      deleted: stateCount('deleted'),
    },
    links: total(links.name),
    placeholders: total(placeholders.name),
    components: bySize.reduce((sum, { components }) => sum + (components ?? 0), 0),
    sizes: bySize.map(({ size, components }) => ({ size, components: components ?? 0 })),
    largest: rows(store, graphs, {
      where: [ofIt],
      orderBy: [
        { column: 'generation', descending: true },
        { column: 'size', descending: true },
      ],
      limit: mostLargest,
    }).map(({ component, size }) => ({ component: component ?? '', size: size ?? 0 })),
    documents: {
      merged: kindCount('merged'),
      redirect: kindCount('redirect'),
      hidden: kindCount('hidden'),
      deleted: kindCount('deleted'),
    },
    refusals: Object.fromEntries(tally(refusals.name, 'code')),
    corrected: total(works.name, [{ column: 'corrections', is: '>', value: 0 }]),
    unmatched: total(works.name, [isSet('unmatchedSince')]),
    unindexed: total(graphs.name, [ofIt, isSet('waitingSince')]),
    faults: total(graphs.name, [ofIt, isSet('fault')]),
  }
}
