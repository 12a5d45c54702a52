import { countRows, is, row, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { verdicts } from '../../../domain/matching/views.ts'
import { list } from '../../runtime/question.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { matching } from '../projection.ts'
import type { VerdictRow } from '../tables.ts'
import { type Verdict, VerdictLine } from './answers.ts'
import { generationOf, graphRow, memberRow, workRow } from './reading.ts'
import { titleReader } from './titles.ts'

/** The verdict about a graph by its smallest work; null if there is none, or it was taken back. */
export const verdictOnGraph = (store: Views, generation: number, component: string): Verdict | null => {
  const found = row(store, verdicts, is('work', component), is('what', 'graph'))
  if (!found) return null
  const { actor, reason, at } = found
  return { actor, reason, at, stands: stands(store, generation, found) }
}

/** False once the graph has another content, or the record was corrected again. */
const stands = (store: Views, generation: number, { work, what }: VerdictRow): boolean => {
  if (what === 'record') return workRow(store, work)?.corrections === null
  const graph = memberRow(store, generation, work)?.graph
  const found = graph === undefined ? undefined : graphRow(store, generation, graph)
  return found?.component === work && found.confirmedAt !== null
}

export const confirmedQuestion = list({
  name: 'confirmed',
  summary: 'Graphs and records that persons looked at and found right: who, when, why.',
  description:
    'A verdict counts for as long as its graph is as it was looked at: then it is listed here, and no more among what ' +
    'to look at. `matching.unconfirm` takes it back.',
  projection: matching,
  history: 'views',
  row: VerdictLine,
  returns: 'The newest first.',
  ask: (store, { limit, offset }) => {
    const generation = generationOf(store, {})
    const titleOf = titleReader(store)
    return rows(store, verdicts, {
      orderBy: [{ column: 'position', descending: true }],
      limit,
      offset,
    }).map((verdict) => {
      const { work, what, size, actor, reason, at } = verdict
      const isStanding = stands(store, generation, verdict)
      return { id: work, title: titleOf(work), what, size, actor, reason, at, stands: isStanding }
    })
  },
  total: (store) => countRows(store, verdicts),
  columns: [
    { key: 'id', title: 'work', leaveOut: 'middle' },
    { key: 'title' },
    { key: 'what' },
    {
      key: 'stands',
      title: 'counts',
      show: (stands, { what }) =>
        stands ? 'yes' : what === 'graph' ? 'no: it changed since' : 'no: corrected since',
      tone: (stands) => (stands ? 'good' : 'warning'),
    },
    { key: 'actor', title: 'by' },
    { key: 'at', title: 'when', show: toTheSecond },
    { key: 'reason', title: 'why' },
  ],
  none: 'nobody confirmed a graph or a record yet',
  examples: [['confirmed', 'who looked at what, and whether it is still as it was']],
})
