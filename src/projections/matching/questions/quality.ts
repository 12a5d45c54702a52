import { plural } from '../../../domain/kernel/amounts.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Condition, RowOf, ViewQuery, Views } from '../../../domain/kernel/view.ts'
import { graphs, placeholders, works } from '../../../domain/matching/views.ts'
import type { GraphRow, WorkRow } from '../tables.ts'
import type { QualityLine } from './answers.ts'
import { generationOf, type OfGeneration } from './reading.ts'

interface QualityScope extends OfGeneration {
  /** Components of so many works or more are listed: 1,000 unless said. */
  readonly alarmSize?: number
  /** Placeholders that so many works or more name are listed: 10 unless said. */
  readonly hubSize?: number
  /** Most lines of each kind: 100 unless said. */
  readonly limit?: number
}

/** Least works on each side: nearly every work hangs by one link, so a single work is nothing odd. */
const minSide = 2

/** What is odd about the data, kind by kind, the worst of each first. */
export const quality = (
  store: Views,
  { alarmSize = 1000, hubSize = 10, limit = 100, ...of }: QualityScope = {},
): readonly QualityLine[] => {
  const generation = is('generation', generationOf(store, of))
  const worst = <Column extends string, Other extends string = never>(
    column: Column,
    min: number,
    ...where: readonly Condition<Other>[]
  ): ViewQuery<Column | Other> => ({
    where: [...where, { column, is: '>=', value: min }],
    orderBy: [
      ...where.map((condition) => ({ column: condition.column, descending: true })),
      { column, descending: true },
    ],
    limit,
  })
  return [
    ...rows(store, graphs, worst('bridgeSide', minSide, generation)).map(oneLinkLine),
    ...rows(store, placeholders, worst('namedBy', hubSize)).map(hubLine),
    ...rows(store, graphs, worst('size', alarmSize, generation)).map(oversizedLine),
    ...rows(store, works, worst('corrections', 1)).map(correctedLine),
  ]
}

const oneLinkLine = ({ component, bridge, bridgeSide, size }: GraphRow): QualityLine => {
  const { from, to } = bridge ?? { from: '', to: '' }
  const weight = bridgeSide ?? 0
  return {
    what: 'one-link',
    id: component ?? '',
    weight,
    says: `One link, from ${from} to ${to}, holds ${weight} and ${(size ?? 0) - weight} works together; check that it is right.`,
  }
}

const hubLine = ({ id, namedBy }: RowOf<typeof placeholders>): QualityLine => ({
  what: 'hub-placeholder',
  id,
  weight: namedBy ?? 0,
  says: `${plural(namedBy ?? 0, 'work')} ${namedBy === 1 ? 'meets' : 'meet'} at ${id}, which no source describes; check that it is one thing.`,
})

const oversizedLine = ({ component, size }: GraphRow): QualityLine => ({
  what: 'oversized',
  id: component ?? '',
  weight: size ?? 0,
  says: `The graph of ${component} holds ${plural(size ?? 0, 'work')}: mostly that is a wrong link; see what holds it together.`,
})

const correctedLine = ({ work, source, corrections }: WorkRow): QualityLine => ({
  what: 'corrected',
  id: work,
  weight: corrections ?? 0,
  says: `${source} sent one version of ${work} with other content ${corrections === 1 ? 'once' : `${corrections} times`}; ask it to count its versions up.`,
})
