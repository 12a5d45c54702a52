import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import { counts, graphs, sizes } from '../../../domain/matching/views.ts'
import type { SummaryAnswer } from './answers.ts'
import { generationOf, type OfGeneration } from './reading.ts'
import { titleReader } from './titles.ts'

const maxLargest = 10

/** Counts of works, links, components and documents. */
export const summary = (store: Views, of: OfGeneration = {}): SummaryAnswer => {
  const generation = generationOf(store, of)
  const titleOf = titleReader(store)
  const ofIt = is('generation', generation)
  const bySize = rows(store, sizes, { where: [ofIt] })
  const countsOf = (generation: number, of: RowOf<typeof counts>['of']) => {
    const all = rows(store, counts, { where: [is('generation', generation), is('of', of)] })
    const known = new Map(all.map(({ value, count }) => [value, count]))
    return { all, count: (value: string) => known.get(value) ?? 0 }
  }
  const worksThat = countsOf(0, 'works').count
  const documentsOf = countsOf(generation, 'documents').count
  const graphsThat = countsOf(generation, 'graphs').count
  return {
    generation,
    works: {
      visible: worksThat('visible'),
      invisible: worksThat('invisible'),
      deleted: worksThat('deleted'),
    },
    links: countsOf(0, 'links').count('stated'),
    placeholders: countsOf(0, 'placeholders').count('named'),
    components: bySize.reduce((sum, { components }) => sum + (components ?? 0), 0),
    sizes: bySize.map(({ size, components }) => ({ size, components: components ?? 0 })),
    largest: rows(store, graphs, {
      where: [ofIt],
      orderBy: [
        { column: 'generation', descending: true },
        { column: 'size', descending: true },
      ],
      limit: maxLargest,
    }).map(({ component, size }) => ({
      component: component ?? '',
      title: titleOf(component ?? ''),
      size: size ?? 0,
    })),
    documents: {
      merged: documentsOf('merged'),
      redirect: documentsOf('redirect'),
      hidden: documentsOf('hidden'),
      deleted: documentsOf('deleted'),
    },
    refusals: Object.fromEntries(countsOf(0, 'refusals').all.map(({ value, count }) => [value, count])),
    corrected: worksThat('corrected'),
    unmatched: worksThat('unmatched'),
    unindexed: graphsThat('unindexed'),
    faults: graphsThat('faulty'),
  }
}
