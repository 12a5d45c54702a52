import {
  type ColumnOf,
  type Condition,
  type RowOf,
  type Tally,
  type Value,
  type ViewQuery,
  ViewQueryError,
  type ViewShape,
  type Views,
} from './view.ts'

/*
 * The one way to query a view. Columns, conditions and rows are typed by the view's shape: where a column was renamed, its
 * queries do not compile.
 */

/** A condition on columns of a shape. */
export type ConditionOn<Shape extends ViewShape> = Condition<ColumnOf<Shape>>

export const is = <const Column extends string>(column: Column, value: Value): Condition<Column> => ({
  column,
  is: '=',
  value,
})

/** Returns an equality condition for each given column. */
export const areAll = <const Column extends string>(
  columns: Readonly<Partial<Record<Column, Value | undefined>>>,
): readonly Condition<Column>[] =>
  (Object.entries(columns) as [Column, Value | undefined][]).flatMap(([column, value]) =>
    value === undefined ? [] : [is(column, value)],
  )

/** Matches any text: unlike "not null", an index answers it. */
export const isSet = <const Column extends string>(column: Column): Condition<Column> => ({
  column,
  is: '>=',
  value: '',
})

type RowQuery<Shape extends ViewShape> = Omit<ViewQuery<ColumnOf<Shape>>, 'columns'>

/** Throws `ViewQueryError` for unknown views and columns. */
export const rows = <Shape extends ViewShape>(
  views: Pick<Views, 'query'>,
  shape: Shape,
  query: RowQuery<Shape> = {},
): readonly RowOf<Shape>[] =>
  // The store made the table from this very shape.
  views.query(shape.name, query) as unknown as readonly RowOf<Shape>[]

/** As `rows`, with some columns alone: reading all of a wide row costs several times as much. */
export const narrowRows = <Shape extends ViewShape, const Column extends ColumnOf<Shape>>(
  views: Pick<Views, 'query'>,
  shape: Shape,
  columns: readonly Column[],
  query: RowQuery<Shape> = {},
): readonly Pick<RowOf<Shape>, Column>[] =>
  views.query(shape.name, { ...query, columns }) as unknown as readonly Pick<RowOf<Shape>, Column>[]

/** As `rows`, far down a long list: rows are wide, so an index alone steps over the skipped ones. */
export const pageOfRows = <Shape extends ViewShape>(
  views: Pick<Views, 'query'>,
  shape: Shape,
  query: RowQuery<Shape>,
): readonly RowOf<Shape>[] => {
  if (!query.offset) return rows(views, shape, query)
  const key = shape.key as readonly ColumnOf<Shape>[]
  return narrowRows(views, shape, key, query)
    .map((found) => row(views, shape, ...key.map((column) => is(column, found[column] as Value))))
    .filter((found) => found !== undefined)
}

/** As `rows`; none if the view is not folded yet, or is just being replaced. */
export const rowsIfFolded = <Shape extends ViewShape>(
  views: Pick<Views, 'query'>,
  shape: Shape,
  query: RowQuery<Shape> = {},
): readonly RowOf<Shape>[] => {
  try {
    return rows(views, shape, query)
  } catch (error) {
    if (error instanceof ViewQueryError) return []
    throw error
  }
}

/** Returns the first row. */
export const row = <Shape extends ViewShape>(
  views: Pick<Views, 'query'>,
  shape: Shape,
  ...where: readonly ConditionOn<Shape>[]
): RowOf<Shape> | undefined => rows(views, shape, { where, limit: 1 })[0]

type TallyRow<Shape extends ViewShape, By extends ColumnOf<Shape>, Sum extends string> = Pick<
  RowOf<Shape>,
  By
> &
  Readonly<Record<Sum | 'count', number>>

/** Counts the rows of each group, and sums their columns. */
export const tally = <
  Shape extends ViewShape,
  const By extends ColumnOf<Shape>,
  const Sum extends ColumnOf<Shape> = never,
>(
  views: Pick<Views, 'tally'>,
  shape: Shape,
  question: Tally<ColumnOf<Shape>> & { readonly by: readonly By[]; readonly sum?: readonly Sum[] },
): readonly TallyRow<Shape, By, Sum>[] =>
  views.tally(shape.name, question) as unknown as readonly TallyRow<Shape, By, Sum>[]

export const countRows = <Shape extends ViewShape>(
  views: Pick<Views, 'tally'>,
  shape: Shape,
  ...where: readonly ConditionOn<Shape>[]
): number => tally(views, shape, { by: [], where })[0]?.count ?? 0

/** As `countRows`; undefined if the view is not folded yet, or a column of the conditions is newer than it. */
export const countIfFolded = <Shape extends ViewShape>(
  views: Pick<Views, 'tally'>,
  shape: Shape,
  ...where: readonly ConditionOn<Shape>[]
): number | undefined => {
  try {
    return countRows(views, shape, ...where)
  } catch (error) {
    if (error instanceof ViewQueryError) return undefined
    throw error
  }
}
