import { countRows, is, isSet, row, rows, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { Document } from '../../../domain/matching/merged/document.ts'
import {
  counts,
  graphs,
  links,
  placeholders,
  refusals,
  sizes,
  works,
} from '../../../domain/matching/views.ts'
import type { WorkState } from '../../../domain/matching/work.ts'
import type { SummaryAnswer } from './answers.ts'
import { generationOf, type OfGeneration } from './reading.ts'

const maxLargest = 10

/** What there is, in numbers. */
export const summary = (store: Views, of: OfGeneration = {}): SummaryAnswer => {
  const generation = generationOf(store, of)
  const ofIt = is('generation', generation)
  const bySize = rows(store, sizes, { where: [ofIt] })
  const countOf = (generation: number, of: 'works' | 'documents', value: WorkState | Document['kind']) =>
    row(store, counts, is('generation', generation), is('of', of), is('value', value))?.count ?? 0
  const stateCount = (state: WorkState) => countOf(0, 'works', state)
  const kindCount = (kind: Document['kind']) => countOf(generation, 'documents', kind)
  return {
    generation,
    works: {
      visible: stateCount('visible'),
      invisible: stateCount('invisible'),
      deleted: stateCount('deleted'),
    },
    links: countRows(store, links),
    placeholders: countRows(store, placeholders),
    components: bySize.reduce((sum, { components }) => sum + (components ?? 0), 0),
    sizes: bySize.map(({ size, components }) => ({ size, components: components ?? 0 })),
    largest: rows(store, graphs, {
      where: [ofIt],
      orderBy: [
        { column: 'generation', descending: true },
        { column: 'size', descending: true },
      ],
      limit: maxLargest,
    }).map(({ component, size }) => ({ component: component ?? '', size: size ?? 0 })),
    documents: {
      merged: kindCount('merged'),
      redirect: kindCount('redirect'),
      hidden: kindCount('hidden'),
      deleted: kindCount('deleted'),
    },
    refusals: Object.fromEntries(
      tally(store, refusals, { by: ['code'] }).map(({ code, count }) => [code, count]),
    ),
    corrected: countRows(store, works, { column: 'corrections', is: '>', value: 0 }),
    unmatched: countRows(store, works, isSet('unmatchedSince')),
    unindexed: countRows(store, graphs, ofIt, isSet('waitingSince')),
    faults: countRows(store, graphs, ofIt, isSet('fault')),
  }
}
