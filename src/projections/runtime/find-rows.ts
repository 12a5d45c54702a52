import { type ConditionOn, is, narrowRows, row } from '../../domain/kernel/read-views.ts'
import type { ColumnOf, RowOf, Value, ViewShape, Views } from '../../domain/kernel/view.ts'
import type { Hit, Hits } from './finder.ts'

/** Most rows of a kind that are counted. */
export const maxCounted = 1000

/** Rows that an index leads to. */
export interface Way<Shape extends ViewShape> {
  readonly where: readonly ConditionOn<Shape>[]
  /** The index of a `prefix` condition that is not in the key: its columns, as far as they come before the key. */
  readonly by?: readonly ColumnOf<Shape>[]
  /** Names that are compared, in the plural. Only if history has no index of it: the way is left out there. */
  readonly onlyNow?: string
}

/** Equal first, then those that begin so. `rest`: the other columns of the index, before the key. */
export const beginning = <Shape extends ViewShape>(
  column: ColumnOf<Shape>,
  text: string,
  ...rest: readonly ColumnOf<Shape>[]
): Way<Shape> => ({ where: [{ column, is: 'prefix', value: text }], by: [column, ...rest] })

interface Found<Shape extends ViewShape> {
  readonly views: Views
  readonly limit: number
  readonly ways: readonly Way<Shape>[]
  readonly hitOf: (row: RowOf<Shape>) => Hit
}

/** Finds rows in several ways, each row once; those of the first way come first. */
export const findRows = <Shape extends ViewShape>(
  shape: Shape,
  { views, limit, ways, hitOf }: Found<Shape>,
): Hits => {
  const isPast = 'scanned' in views
  const keys = new Map<string, readonly Value[]>()
  for (const { where, by, onlyNow } of ways) {
    if (isPast && onlyNow !== undefined) continue
    if (keys.size > maxCounted) break
    for (const key of keysOf(views, shape, where, by)) keys.set(JSON.stringify(key), key)
  }
  const hits = [...keys.values()].slice(0, limit).flatMap((key) => {
    const found = row(
      views,
      shape,
      ...key.map((value, i) => is(keyColumns(shape)[i] as ColumnOf<Shape>, value)),
    )
    return found ? [hitOf(found)] : []
  })
  const notCompared = isPast ? ways.flatMap(({ onlyNow }) => onlyNow ?? []) : []
  return {
    hits,
    total: Math.min(keys.size, maxCounted),
    isAll: keys.size <= maxCounted,
    ...(notCompared.length > 0 && { notCompared: [...new Set(notCompared)] }),
  }
}

const keyColumns = <Shape extends ViewShape>({ key }: Shape) => key as readonly ColumnOf<Shape>[]

const keysOf = <Shape extends ViewShape>(
  views: Views,
  shape: Shape,
  where: readonly ConditionOn<Shape>[],
  by: readonly ColumnOf<Shape>[] | undefined,
): readonly (readonly Value[])[] => {
  const columns = keyColumns(shape)
  const query = { where, ...(by && { orderBy: by.map((column) => ({ column })) }), limit: maxCounted + 1 }
  return narrowRows(views, shape, columns, query).map((found) =>
    columns.map((column) => found[column] as Value),
  )
}
