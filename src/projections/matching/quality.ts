import { plural } from '../../domain/kernel/amounts.ts'
import type { Condition, ViewQuery } from '../../ports/view-store.ts'
import type { QualityLine } from './answers.ts'
import { generationOf, is, type OfGeneration, rows, type Views } from './reading.ts'
import { graphs, placeholders, works } from './views.ts'

export interface QualityScope extends OfGeneration {
  /** Components of so many works or more are listed: 1,000 unless told. */
  readonly alarmSize?: number
  /** Placeholders that so many works or more name are listed: 10 unless told. */
  readonly hubSize?: number
  /** Most lines of each kind: 100 unless told. */
  readonly limit?: number
}

/** Two works on each side at least: a single one that hangs on by a link is what nearly every work does. */
const leastSide = 2

/** What is odd about the data, kind by kind, the worst of each first. */
export const quality = (
  store: Views,
  { alarmSize = 1000, hubSize = 10, limit = 100, ...of }: QualityScope = {},
): readonly QualityLine[] => {
  const generation = is('generation', generationOf(store, of))
  const worst = (column: string, least: number, ...where: readonly Condition[]): ViewQuery => ({
    where: [...where, { column, is: '>=', value: least }],
    orderBy: [
      ...where.map((condition) => ({ column: condition.column, descending: true })),
      { column, descending: true },
    ],
    limit,
  })
  return [
    ...rows(store, graphs, worst('bridgeSide', leastSide, generation)).map((graph) => {
      const { from, to } = graph.bridge as { readonly from: string; readonly to: string }
      const side = graph.bridgeSide ?? 0
      return line(
        'one-link',
        graph.component ?? '',
        side,
        `One link, from ${from} to ${to}, holds ${side} and ${(graph.size ?? 0) - side} works together; check that it is right.`,
      )
    }),
    ...rows(store, placeholders, worst('namedBy', hubSize)).map(({ id, namedBy }) =>
      line(
        'hub-placeholder',
        id,
        namedBy ?? 0,
        `${plural(namedBy ?? 0, 'work')} ${namedBy === 1 ? 'meets' : 'meet'} at ${id}, which no source describes; check that it is one thing.`,
      ),
    ),
    ...rows(store, graphs, worst('size', alarmSize, generation)).map(({ component, size }) =>
      line(
        'oversized',
        component ?? '',
        size ?? 0,
        `The graph of ${component} holds ${plural(size ?? 0, 'work')}: mostly that is a wrong link; see what holds it together.`,
      ),
    ),
    ...rows(store, works, worst('corrections', 1)).map(({ work, source, corrections }) =>
      line(
        'corrected',
        work,
        corrections ?? 0,
        `${source} sent one version of ${work} with other content ${corrections === 1 ? 'once' : `${corrections} times`}; ask it to count its versions up.`,
      ),
    ),
  ]
}

const line = (what: QualityLine['what'], id: string, weight: number, says: string): QualityLine => ({
  what,
  id,
  weight,
  says,
})
