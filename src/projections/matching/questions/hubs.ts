import { plural } from '../../../domain/kernel/amounts.ts'
import { countRows, is, isSet, narrowRows, pageOfRows, row } from '../../../domain/kernel/read-views.ts'
import type { Condition, RowOf, Views } from '../../../domain/kernel/view.ts'
import { graphs, placeholders } from '../../../domain/matching/views.ts'
import type { QualityLine } from './answers.ts'
import type { Source } from './quality-source.ts'
import { graphRow, memberRow, membersOf } from './reading.ts'

/** Ids that so many works name and no source describes, but for those in graphs that persons confirmed. */
export const hubs = (store: Views, generation: number, hubSize: number): Source => {
  const where: readonly Condition<'namedBy'>[] = [{ column: 'namedBy', is: '>=', value: hubSize }]
  return {
    what: 'hub-placeholder',
    count: () => countRows(store, placeholders, ...where) - confirmedHubs(store, generation, hubSize).size,
    lines: ({ limit, offset }) => {
      const confirmed = confirmedHubs(store, generation, hubSize)
      const orderBy = [{ column: 'namedBy', descending: true }] as const
      if (confirmed.size === 0)
        return pageOfRows(store, placeholders, { where, orderBy, limit, offset }).map((hub) =>
          hubLine(store, generation, hub),
        )
      return narrowRows(store, placeholders, ['id'], {
        where,
        orderBy,
        limit: offset + limit + confirmed.size,
      })
        .filter(({ id }) => !confirmed.has(id))
        .slice(offset, offset + limit)
        .flatMap(({ id }) => row(store, placeholders, is('id', id)) ?? [])
        .map((hub) => hubLine(store, generation, hub))
    },
  }
}

/** The hubs in graphs that persons confirmed: as few as persons can look at. */
const confirmedHubs = (store: Views, generation: number, hubSize: number): ReadonlySet<string> => {
  const found = new Set<string>()
  const confirmed = narrowRows(store, graphs, ['graph', 'placeholders'], {
    where: [is('generation', generation), isSet('confirmedAt')],
    orderBy: [{ column: 'generation' }, { column: 'confirmedAt' }],
  })
  for (const { graph, placeholders: some } of confirmed)
    for (const { id, placeholder } of some ? membersOf(store, generation, graph) : [])
      if (placeholder === 1 && (row(store, placeholders, is('id', id))?.namedBy ?? 0) >= hubSize)
        found.add(id)
  return found
}

const hubLine = (
  store: Views,
  generation: number,
  { id, namedBy }: RowOf<typeof placeholders>,
): QualityLine => {
  const graph = memberRow(store, generation, id)?.graph
  return {
    what: 'hub-placeholder',
    id,
    title: null,
    seen: graph === undefined ? null : (graphRow(store, generation, graph)?.version ?? null),
    weight: namedBy ?? 0,
    says: `${plural(namedBy ?? 0, 'work')} ${namedBy === 1 ? 'meets' : 'meet'} at ${id}, which no source describes; check that it is one thing.`,
  }
}
