import { plural } from '../../../domain/kernel/amounts.ts'
import { type ConditionOn, countRows, is, pageOfRows } from '../../../domain/kernel/read-views.ts'
import type { ColumnOf, RowOf, ViewShape, Views } from '../../../domain/kernel/view.ts'
import { graphs, works } from '../../../domain/matching/views.ts'
import type { GraphRow, WorkRow } from '../tables.ts'
import type { QualityLine } from './answers.ts'
import { hubs } from './hubs.ts'
import type { Source } from './quality-source.ts'
import { countOf, generationOf, type OfGeneration } from './reading.ts'
import { type TitleOf, titleReader, withTitle } from './titles.ts'

interface QualityScope extends OfGeneration {
  /** Components of so many works or more are listed: 1,000 unless said. */
  readonly alarmSize?: number
  /** Placeholders that so many works or more name are listed: 10 unless said. */
  readonly hubSize?: number
  /** Lists this kind alone. */
  readonly what?: QualityLine['what']
  /** Most lines of each kind: 100 unless said. */
  readonly limit?: number
  /** Lines of each kind to pass over. */
  readonly offset?: number
  /**
   * True if the question is as of a moment. The history has no index of corrected works: if their count was 0 then,
   * they are not queried.
   */
  readonly isPast?: boolean
}

/** Fewest works on each side: nearly every work hangs by one link, so a single work is not odd. */
const minSide = 2

/** Oddities of the data, kind by kind, the worst of each first. */
export const quality = (
  store: Views,
  { limit = 100, offset = 0, ...scope }: QualityScope = {},
): readonly QualityLine[] =>
  sourcesOf(store, titleReader(store), scope).flatMap(({ lines }) => lines({ limit, offset }))

/** Number of oddities of each kind that occurs. */
export const countOdd = (
  store: Views,
  scope: QualityScope = {},
): readonly { readonly what: QualityLine['what']; readonly count: number }[] =>
  sourcesOf(store, titleReader(store), scope)
    .map(({ what, count }) => ({ what, count: count() }))
    .filter(({ count }) => count > 0)

const sourcesOf = (
  store: Views,
  titleOf: TitleOf,
  { alarmSize = 1000, hubSize = 10, what: wanted, isPast = false, ...of }: QualityScope,
): readonly Source[] => {
  const number = generationOf(store, of)
  const generation = is('generation', number)
  const source = <Shape extends ViewShape>(
    what: QualityLine['what'],
    shape: Shape,
    column: ColumnOf<Shape>,
    min: number,
    line: (row: RowOf<Shape>, titleOf: TitleOf) => QualityLine,
    where: readonly ConditionOn<Shape>[] = [],
    others: readonly ConditionOn<Shape>[] = [],
  ): Source => {
    const ordered: readonly ConditionOn<Shape>[] = [...where, { column, is: '>=', value: min }]
    const orderBy = ordered.map((condition) => ({ column: condition.column, descending: true }))
    const all = [...ordered, ...others]
    return {
      what,
      count: () => countRows(store, shape, ...all),
      lines: (page) =>
        pageOfRows(store, shape, { where: all, orderBy, ...page }).map((row) => line(row, titleOf)),
    }
  }
  const sources: readonly Source[] = [
    // A confirmed graph has no `bridgeSide`.
    source('one-link', graphs, 'bridgeSide', minSide, oneLinkLine, [generation]),
    hubs(store, number, hubSize),
    source('oversized', graphs, 'size', alarmSize, oversizedLine, [generation], [is('confirmedAt', null)]),
    source('corrected', works, 'corrections', 1, correctedLine),
  ]
  return sources
    .filter(({ what }) => wanted === undefined || what === wanted)
    .filter(({ what }) => !isPast || what !== 'corrected' || countOf(store, 0, 'works', 'corrected') > 0)
}

const oneLinkLine = (
  { component, version, bridge, bridgeSide, size }: GraphRow,
  titleOf: TitleOf,
): QualityLine => {
  const { from, to } = bridge ?? { from: '', to: '' }
  const weight = bridgeSide ?? 0
  const id = component ?? ''
  return {
    what: 'one-link',
    id,
    title: titleOf(id),
    seen: version,
    weight,
    says: `One link, from ${withTitle(from, titleOf(from))} to ${withTitle(to, titleOf(to))}, holds ${weight} and ${(size ?? 0) - weight} works together; check that it is right.`,
  }
}

const oversizedLine = ({ component, version, size }: GraphRow, titleOf: TitleOf): QualityLine => {
  const id = component ?? ''
  return {
    what: 'oversized',
    id,
    title: titleOf(id),
    seen: version,
    weight: size ?? 0,
    says: `The graph of ${id} holds ${plural(size ?? 0, 'work')}: mostly that is a wrong link; see what holds it together.`,
  }
}

const correctedLine = ({ work, title, source, corrections }: WorkRow): QualityLine => ({
  what: 'corrected',
  id: work,
  title,
  seen: corrections,
  weight: corrections ?? 0,
  says: `${source} sent one version of ${work} with other content ${corrections === 1 ? 'once' : `${corrections} times`}; ask it to count its versions up.`,
})
