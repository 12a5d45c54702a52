import { type ConditionOn, is, narrowRows, row } from '../../domain/kernel/read-views.ts'
import type { ColumnOf, RowOf, Value, ViewShape } from '../../domain/kernel/view.ts'
import { type Keys, keysWithName, keysWithWords, maxOfWord as maxCounted } from './find-words.ts'
import type { Hit, Hits, SearchedViews } from './finder.ts'

/** Rows that an index leads to. */
interface Indexed<Shape extends ViewShape> {
  readonly where: readonly ConditionOn<Shape>[]
  /** The index of a `prefix` condition that is not in the key: its columns, as far as they come before the key. */
  readonly by?: readonly ColumnOf<Shape>[]
  /** Names that are compared, in the plural. Only if history has no index of them: the way is left out there. */
  readonly onlyNow?: string
}

/** Rows by words of their titles, or by the beginning of the name of a file; `onlyNow` as above. */
interface Worded {
  readonly words?: string
  readonly name?: string
  readonly onlyNow: string
}

export type Way<Shape extends ViewShape> = Indexed<Shape> | Worded

/** Equal first, then those that begin so. `rest`: the other columns of the index, before the key. */
export const beginning = <Shape extends ViewShape>(
  column: ColumnOf<Shape>,
  text: string,
  ...rest: readonly ColumnOf<Shape>[]
): Indexed<Shape> => ({ where: [{ column, is: 'prefix', value: text }], by: [column, ...rest] })

interface Found<Shape extends ViewShape> {
  readonly views: SearchedViews
  readonly limit: number
  readonly ways: readonly Way<Shape>[]
  readonly hitOf: (row: RowOf<Shape>) => Hit
}

/** Finds rows in several ways, each row once; those of the first way come first. */
export const findRows = <Shape extends ViewShape>(
  shape: Shape,
  { views, limit, ways, hitOf }: Found<Shape>,
): Hits => {
  const keys = new Map<string, readonly Value[]>()
  const notCompared: string[] = []
  let isAll = true
  for (const way of ways) {
    const whyNot = whyNotNow(views, shape, way)
    if (whyNot !== undefined) notCompared.push(whyNot)
    if (whyNot !== undefined || keys.size > maxCounted) continue
    const found = keysOf(views, shape, way)
    for (const key of found.keys) keys.set(JSON.stringify(key), key)
    isAll &&= found.isAll
  }
  const columns = keyColumns(shape)
  const hits = [...keys.values()].slice(0, limit).flatMap((key) => {
    const found = row(views, shape, ...key.map((value, i) => is(columns[i] as ColumnOf<Shape>, value)))
    return found ? [hitOf(found)] : []
  })
  return {
    hits,
    total: Math.min(keys.size, maxCounted),
    isAll: isAll && keys.size <= maxCounted,
    ...(notCompared.length > 0 && { notCompared: [...new Set(notCompared)] }),
  }
}

/** Returns why a way is left out: as of a moment, or while views of an older program wait to be folded anew. */
const whyNotNow = <Shape extends ViewShape>(
  views: SearchedViews,
  { name }: Shape,
  way: Way<Shape>,
): string | undefined => {
  if (way.onlyNow === undefined) return undefined
  if ('scanned' in views) return `${way.onlyNow} are not compared as of an earlier moment`
  if (!('where' in way) && !views.shape(name)?.words)
    return `${way.onlyNow} are not compared before the view ${name} is folded anew`
  return undefined
}

const keyColumns = <Shape extends ViewShape>({ key }: Shape) => key as readonly ColumnOf<Shape>[]

const keysOf = <Shape extends ViewShape>(views: SearchedViews, shape: Shape, way: Way<Shape>): Keys => {
  if (!('where' in way)) {
    if (way.words !== undefined) return keysWithWords(views, shape, way.words)
    return keysWithName(views, shape, way.name ?? '')
  }
  const { where, by } = way
  const columns = keyColumns(shape)
  const query = {
    where,
    ...(by && { orderBy: by.map((column) => ({ column })) }),
    limit: maxCounted + 1,
  }
  const keys = narrowRows(views, shape, columns, query).map((found) =>
    columns.map((column) => found[column] as Value),
  )
  return { keys, isAll: keys.length <= maxCounted }
}
