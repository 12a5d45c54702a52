import { firstFew, type GraphsBefore } from './causes.ts'
import { type GraphChange, graphSubject } from './turn-rows.ts'

/**
 * A fact may stand behind groups that it concerns: where it parts a graph, larger parts come before the part that its work
 * is in. The row of the graph then names it, and so does the graph's turn.
 */
export const addLateCauses = (
  { tables, generation, version }: GraphChange,
  { works, changed }: GraphsBefore,
): void => {
  for (const graph of changed) {
    const late = works.get(graph) ?? []
    const row = tables['matching-graphs'].get(graph, generation)
    if (row?.version === version)
      tables['matching-graphs'].put({ ...row, causes: firstFew(row.causes, late) })
    const turn = tables['matching-turns'].get(generation, graphSubject(graph), version)
    if (turn) tables['matching-turns'].put({ ...turn, causes: firstFew(turn.causes, late) })
  }
}
