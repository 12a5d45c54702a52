import { matching } from '#src/projections/matching/projection.ts'
import { type Folded as FoldedLog, folding } from '../folding.ts'
import { type Catalogue, catalogue } from './catalogue.ts'

const { foldAll, open, folded: foldedLog } = folding(matching)

export { foldAll, open as openMatching }

export interface Folded extends FoldedLog<Catalogue> {
  /** The number of the graph that a work is in. */
  graphOf(id: string, generation?: number): unknown
}

/** A catalogue and its views, which always are up to date. */
export const folded = (): Folded => {
  const all = foldedLog(catalogue())
  return {
    ...all,
    get views() {
      return all.views
    },
    graphOf: (id, number = 1) => all.row('matching-members', { generation: number, id })?.graph,
  }
}
